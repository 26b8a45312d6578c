package access_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/operator/access"

	"golang.org/x/crypto/argon2"
)

const goodPassword = "four words and more"

func TestCheckPassword(t *testing.T) {
	for _, c := range []struct{ password, name, want string }{
		{goodPassword, "ada", ""},
		{"éééééééééééx", "ada", ""}, // characters count, not bytes
		{"            x", "ada", ""},
		{strings.Repeat("ab", 100), "ada", ""},
		{"eleven char", "ada", "at least 12 characters"},
		{"", "ada", "at least 12 characters"},
		{strings.Repeat("ab", 100) + "c", "ada", "at most 200"},
		{"four words \xff and more", "ada", "not valid text"},
		{strings.Repeat("é", 20), "ada", "one character again and again"},
		{"this is ADA's password", "ada", "contains the name"},
		{goodPassword, "a", ""}, // a short name is in too many words
	} {
		err := access.CheckPassword(c.password, c.name)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: %v, want %q", c.password, err, c.want)
		}
		if err != nil && len(c.password) > 5 && strings.Contains(err.Error(), c.password) {
			t.Errorf("the error repeats %q", c.password)
		}
	}
}

// foreignHash is a hash with parameters of its own, in the PHC format.
func foreignHash(password string, memory, passes uint32, threads uint8) string {
	salt := []byte("a salt of 16 byt")
	key := argon2.IDKey([]byte(password), salt, passes, memory, threads, 32)
	return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s", memory, passes, threads, base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

func TestVerifyPassword(t *testing.T) {
	current, err := access.HashPassword(t.Context(), goodPassword)
	if err != nil || !strings.HasPrefix(current, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("%q, %v", current, err)
	}
	if again, _ := access.HashPassword(t.Context(), goodPassword); again == current {
		t.Error("two hashes have the same salt")
	}
	old := foreignHash(goodPassword, 8<<10, 3, 2)
	for _, c := range []struct {
		name, hash, password string
		right, outdated      bool
	}{
		{"current", current, goodPassword, true, false},
		{"wrong", current, goodPassword + ".", false, false},
		{"empty password", current, "", false, false},
		{"with other parameters", old, goodPassword, true, true},
		{"with other parameters, wrong", old, "wrong", false, false},
		{"too much memory", foreignHashText("m=4194304,t=2,p=1"), goodPassword, false, false},
		{"too many passes", foreignHashText("m=8192,t=4000000000,p=1"), goodPassword, false, false},
		{"no threads", foreignHashText("m=8192,t=1,p=0"), goodPassword, false, false},
		{"no passes", foreignHashText("m=8192,t=0,p=1"), goodPassword, false, false},
		{"no memory", foreignHashText("m=0,t=1,p=1"), goodPassword, false, false},
		{"none", "", goodPassword, false, false},
		{"none, and no password", "", "", false, false},
		{"the dummy's own key", "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$", "", false, false},
		{"text", goodPassword, goodPassword, false, false},
		{"another function", strings.Replace(current, "argon2id", "argon2i", 1), goodPassword, false, false},
		{"another version", strings.Replace(current, "v=19", "v=16", 1), goodPassword, false, false},
		{"more after it", current + "$x", goodPassword, false, false},
		{"cut off", current[:len(current)-30], goodPassword, false, false},
		{"bcrypt", "$2y$10$abcdefghijklmnopqrstuuu", goodPassword, false, false},
	} {
		right, outdated, err := access.VerifyPassword(t.Context(), c.hash, c.password)
		if err != nil || right != c.right || outdated != c.outdated {
			t.Errorf("%s: right %v, outdated %v, %v", c.name, right, outdated, err)
		}
	}
}

// foreignHashText has parameters that are not worked through.
func foreignHashText(parameters string) string {
	return "$argon2id$v=19$" + parameters + "$" + strings.Repeat("A", 22) + "$" + strings.Repeat("A", 43)
}

// TestTwoHashesAtOnce hashes eight passwords together, and gives up waiting when the client does.
func TestTwoHashesAtOnce(t *testing.T) {
	hashes := access.CountHashes(t)
	hashes.During = func() { time.Sleep(20 * time.Millisecond) }
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := access.HashPassword(t.Context(), goodPassword); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n, most := hashes.All.Load(), hashes.Most.Load(); n != 8 || most != 2 {
		t.Errorf("%d hashes, %d at once", n, most)
	}
	release := make(chan struct{})
	hashes.During = func() { <-release }
	for range 2 {
		all.Go(func() { _, _ = access.HashPassword(t.Context(), goodPassword) })
	}
	for hashes.All.Load() < 10 {
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, _, err := access.VerifyPassword(ctx, "", goodPassword); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a client that gave up: %v", err)
	}
	waiting, giveUp := context.WithCancel(t.Context())
	var refused atomic.Int64
	for range 100 {
		all.Go(func() {
			if _, err := access.HashPassword(waiting, goodPassword); errors.Is(err, catalog.ManySignIns) {
				refused.Add(1)
			}
		})
	}
	for end := time.Now().Add(10 * time.Second); refused.Load() < 36 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	giveUp()
	close(release)
	all.Wait()
	if n := refused.Load(); n != 36 {
		t.Errorf("of 100 that come while two are hashed %d were refused, want all but 64", n)
	}
	if _, err := access.HashPassword(t.Context(), goodPassword); err != nil {
		t.Errorf("and then: %v", err)
	}
}
