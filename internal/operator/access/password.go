package access

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"foyer/internal/catalog"
)

// What a password must be. Length is what counts: rules about digits and signs make people write passwords down.
const (
	minPasswordLength = 12  // characters
	maxPasswordLength = 200 // bytes
	minNameInPassword = 3   // a shorter name is in too many words
)

// checkPassword says what is wrong with a password, and never repeats it.
func checkPassword(password, name string) error {
	switch first, _ := utf8.DecodeRuneInString(password); {
	case !utf8.ValidString(password):
		return errors.New("the password is not valid text: type it again, in letters, digits and signs of your keyboard")
	case len(password) > maxPasswordLength:
		return fmt.Errorf("the password is too long: write at most %d letters, digits and signs (others, such as é, count twice or more)", maxPasswordLength)
	case utf8.RuneCountInString(password) < minPasswordLength:
		return fmt.Errorf("the password is too short: write at least %d characters, for example four words", minPasswordLength)
	case strings.Trim(password, string(first)) == "":
		return errors.New("the password is one character again and again: write different ones, for example four words")
	case len(name) >= minNameInPassword && strings.Contains(strings.ToLower(password), name):
		return errors.New("the password contains the name: write one without it")
	}
	return nil
}

// hashing is the work that a hash takes: memory in KiB, passes, and threads.
type hashing struct {
	memory  uint32
	passes  uint32
	threads uint8
}

// current is how new passwords are hashed: the least that OWASP recommends for argon2id, because the service may have little memory.
var current = hashing{memory: 19 << 10, passes: 2, threads: 1}

// What a stored hash may cost at most: a row that someone wrote by hand must not stop the service.
var most = hashing{memory: 64 << 10, passes: 10, threads: 4}

const (
	saltLength = 16
	hashLength = 32
	maxHashes  = 2 // at once: each takes 19 MiB, and many people may try to sign in

	// maxWaiting is how many may wait for a hash: some seconds. More are refused, because they would wait until their browsers give up.
	maxWaiting = 64
)

var (
	hashSlots   = make(chan struct{}, maxHashes)
	hashWaiting atomic.Int64
)

// idKey is argon2.IDKey. It is a variable because tests count hashes.
var idKey = argon2.IDKey

// derive waits for its turn, and hashes a password.
func (h hashing) derive(ctx context.Context, password string, salt []byte, length int) ([]byte, error) {
	defer hashWaiting.Add(-1)
	if hashWaiting.Add(1) > maxHashes+maxWaiting {
		return nil, catalog.ManySignIns
	}
	select {
	case hashSlots <- struct{}{}:
		defer func() { <-hashSlots }()
		return idKey([]byte(password), salt, h.passes, h.memory, h.threads, uint32(length)), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// hashPassword returns the hash of a password, in the PHC format: argon2id, which is not cut off at 72 bytes as bcrypt is.
func hashPassword(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltLength)
	_, _ = rand.Read(salt) // never fails
	key, err := current.derive(ctx, password, salt, hashLength)
	if err != nil {
		return "", err
	}
	return current.header() + "$" + base64.RawStdEncoding.EncodeToString(salt) + "$" + base64.RawStdEncoding.EncodeToString(key), nil
}

func (h hashing) header() string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d", argon2.Version, h.memory, h.passes, h.threads)
}

// parseHash parses a hash in the PHC format. ok is false if it is no such hash, or would take too much work.
func parseHash(text string) (h hashing, salt, key []byte, ok bool) {
	parts := strings.Split(text, "$")
	if len(parts) != 6 {
		return h, nil, nil, false
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &h.memory, &h.passes, &h.threads); err != nil || h.header() != strings.Join(parts[:4], "$") {
		return h, nil, nil, false
	}
	salt, saltErr := base64.RawStdEncoding.DecodeString(parts[4])
	key, keyErr := base64.RawStdEncoding.DecodeString(parts[5])
	ok = saltErr == nil && keyErr == nil && len(salt) >= 8 && len(salt) <= 64 && len(key) >= 16 && len(key) <= 64 &&
		h.memory >= 8*uint32(h.threads) && h.memory <= most.memory && h.passes >= 1 && h.passes <= most.passes && h.threads >= 1 && h.threads <= most.threads
	return h, salt, key, ok
}

// verifyPassword reports whether a password has a hash, and whether the hash should be replaced by a current one. A hash that cannot be
// read fits no password, after the same work.
func verifyPassword(ctx context.Context, hash, password string) (right, outdated bool, err error) {
	h, salt, key, ok := parseHash(hash)
	if !ok {
		h, salt, key = current, make([]byte, saltLength), make([]byte, hashLength)
	}
	derived, err := h.derive(ctx, password, salt, len(key))
	if err != nil {
		return false, false, err
	}
	right = subtle.ConstantTimeCompare(derived, key) == 1 && ok
	return right, right && (h != current || len(salt) != saltLength || len(key) != hashLength), nil
}
