package access

import (
	"sync/atomic"
	"testing"

	"golang.org/x/crypto/argon2"
)

// Hashes counts the hashes of a test.
type Hashes struct {
	All, Most atomic.Int64 // how many there were, and how many at most at once
	During    func()       // runs within each, if it is not nil
}

// CountHashes counts hashes until the test ends. Tests that use it do not run in parallel.
func CountHashes(t *testing.T) *Hashes {
	var h Hashes
	var running atomic.Int64
	idKey = func(password, salt []byte, passes, memory uint32, threads uint8, length uint32) []byte {
		h.All.Add(1)
		defer running.Add(-1)
		for n := running.Add(1); ; {
			if most := h.Most.Load(); n <= most || h.Most.CompareAndSwap(most, n) {
				break
			}
		}
		if h.During != nil {
			h.During()
		}
		return argon2.IDKey(password, salt, passes, memory, threads, length)
	}
	t.Cleanup(func() { idKey = argon2.IDKey })
	return &h
}

// The functions of passwords.
var (
	HashPassword   = hashPassword
	VerifyPassword = verifyPassword
	CheckPassword  = checkPassword
)
