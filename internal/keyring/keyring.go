// Package keyring holds the secret keys of a database under their names: one key for each use, so that what one use shows of
// its key says nothing about another. It makes keys, keeps them in one file that only its owner can read, and reads them
// back.
//
// It uses no key itself and knows no database: whether the keys are the right ones is for others to say, by their ids. It
// never prints a key, and never makes one in place of a key that was lost: only Create and Add make keys.
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

// The keys that this program needs. A name never gets another meaning.
const (
	FormToken   Name = "form-token"    // proves that our form was served, and when
	Index       Name = "index"         // finds a phone number or an email address without storing it
	BuyerLeadID Name = "buyer-lead-id" // makes the id by which one buyer knows a lead
)

// Names are all the keys that this program needs.
var Names = []Name{FormToken, Index, BuyerLeadID}

// size is that of every key, in bytes: right for HMAC-SHA-256, AES-256 and the seed of an Ed25519 key.
const size = 32

// Key is a key without its secret.
type Key struct {
	ID      string
	Name    Name
	Created time.Time
}

// Ring is a set of keys.
type Ring struct {
	keys []key
}

type key struct {
	Key
	secret []byte
	stored []byte // as it stands in the file, with what a later program may have added to it
}

// Key is the secret of the key with a name. Of several keys with one name, the last one in the file is in use. A ring that
// lacks the key was not checked with Missing: to go on would be to sign with nothing.
func (r *Ring) Key(n Name) []byte {
	for _, k := range slices.Backward(r.keys) {
		if k.Name == n {
			return bytes.Clone(k.secret)
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

// Missing are the keys that this program needs and the ring lacks.
func (r *Ring) Missing() (names []Name) {
	for _, n := range Names {
		if !slices.ContainsFunc(r.keys, func(k key) bool { return k.Name == n }) {
			names = append(names, n)
		}
	}
	return names
}

// with is the ring with new keys at its end.
func (r *Ring) with(names []Name, at time.Time) *Ring {
	keys := slices.Clone(r.keys)
	for _, n := range names {
		secret := make([]byte, size)
		_, _ = rand.Read(secret) // never fails
		keys = append(keys, key{Key: Key{ID: idOf(n, secret), Name: n, Created: at.UTC().Truncate(time.Second)}, secret: secret})
	}
	return &Ring{keys}
}

// idOf is the id of a key: its name and a print of its secret, from which nothing can be told about the secret. A key that
// was damaged or exchanged does not fit its id any more.
func idOf(n Name, secret []byte) string {
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "id of the key %s", n)
	return string(n) + "." + hex.EncodeToString(mac.Sum(nil)[:10])
}

var idForm = regexp.MustCompile(`^[a-z][a-z0-9-]*\.[0-9a-f]{20}$`)

// NameOf is the name in the id of a key.
func NameOf(id string) Name {
	name, _, _ := strings.Cut(id, ".")
	return Name(name)
}
