// Package keyring holds the secret keys of a database by name: one key for each use, so that what one use reveals of
// its key says nothing about another. It makes keys, keeps them in one file that only its owner can read, and loads
// them.
//
// It uses no key itself and knows no database: callers compare ids to tell whether the keys are the right ones. It
// never prints a key, and never replaces a lost key with a new one: only Create and Add make keys. There is no key
// rotation: `foyer keys init --replace` begins anew.
package keyring

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Name says what a key is for.
type Name string

// The keys that this program needs. The meaning of a name never changes.
const (
	FormToken   Name = "form-token"    // proves that we served the form, and when
	Index       Name = "index"         // finds a phone number or an email address without storing it
	BuyerLeadID Name = "buyer-lead-id" // derives the lead id that one buyer sees
)

// Names lists all the keys that this program needs.
var Names = []Name{FormToken, Index, BuyerLeadID}

// keySize is the size of every key in bytes: right for HMAC-SHA-256, AES-256 and the seed of an Ed25519 key.
const keySize = 32

// Key is a key without its secret. NameOf returns the name in its id.
type Key struct {
	ID      string    `json:"id"`
	Created time.Time `json:"created_at"`
}

// Ring is a set of keys.
type Ring struct {
	keys []key
}

type key struct {
	Key
	Secret []byte `json:"secret"` // base64 in the file
	stored []byte // as in the file, including members that a later version added; nil for a new key
}

// Key returns the secret of the named key. If several keys have the name, the last one in the file is in use. Key
// panics if the ring lacks the key, because the caller did not check Missing and would sign with nothing.
func (r *Ring) Key(n Name) []byte {
	for _, k := range slices.Backward(r.keys) {
		if NameOf(k.ID) == n {
			return bytes.Clone(k.Secret)
		}
	}
	panic("keyring: no key " + string(n))
}

// Keys lists the keys, in the order of the file.
func (r *Ring) Keys() []Key {
	list := make([]Key, len(r.keys))
	for i, k := range r.keys {
		list[i] = k.Key
	}
	return list
}

// Missing returns the keys that this program needs and the ring lacks.
func (r *Ring) Missing() (names []Name) {
	for _, n := range Names {
		if !slices.ContainsFunc(r.keys, func(k key) bool { return NameOf(k.ID) == n }) {
			names = append(names, n)
		}
	}
	return names
}

// withNewKeys returns the ring with new keys appended.
func (r *Ring) withNewKeys(names []Name, at time.Time) *Ring {
	keys := slices.Clone(r.keys)
	for _, n := range names {
		secret := make([]byte, keySize)
		_, _ = rand.Read(secret) // never fails
		keys = append(keys, key{Key: Key{ID: keyID(n, secret), Created: at.UTC().Truncate(time.Second)}, Secret: secret})
	}
	return &Ring{keys}
}

// keyID returns the id of a key: its name and a fingerprint of its secret, which reveals nothing about the secret. A
// damaged or swapped key does not match its id.
func keyID(n Name, secret []byte) string {
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "id of the key %s", n)
	return string(n) + "." + hex.EncodeToString(mac.Sum(nil)[:10])
}

var keyIDPattern = regexp.MustCompile(`^[a-z][a-z0-9-]*\.[0-9a-f]{20}$`)

// NameOf returns the name in a key id.
func NameOf(id string) Name {
	name, _, _ := strings.Cut(id, ".")
	return Name(name)
}
