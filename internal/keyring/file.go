package keyring

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// about is for whoever opens the file and wonders.
const about = "The keys of a Foyer database. Keep this file secret, and keep a copy of it apart from the backups of the database. docs/operations.md says what is lost with it."

// version is that of the file's form. New names, and new members of a key, need no new version.
const version = 1

type document struct {
	About   string            `json:"about"`
	Version int               `json:"version"`
	Keys    []json.RawMessage `json:"keys"`
}

type entry struct {
	ID      string    `json:"id"`
	Created time.Time `json:"created_at"`
	Secret  []byte    `json:"secret"` // base64
}

func encode(r *Ring) ([]byte, error) {
	d := document{About: about, Version: version}
	for _, k := range r.keys {
		stored := k.stored
		if stored == nil {
			var err error
			if stored, err = json.Marshal(entry{k.ID, k.Created, k.secret}); err != nil {
				return nil, err
			}
		}
		d.Keys = append(d.Keys, stored)
	}
	content, err := json.MarshalIndent(d, "", "  ")
	return append(content, '\n'), err
}

// decode reads the content of a file. Its errors go on after the file's name, and never show what the file holds.
func decode(content []byte) (*Ring, error) {
	var d document
	if json.Unmarshal(content, &d) != nil || d.Version < 1 {
		return nil, errors.New("is not a file of keys, or is damaged: put back a copy of it")
	}
	if d.Version > version {
		return nil, fmt.Errorf("has form %d, and this foyer knows form %d: it was written by a later version", d.Version, version)
	}
	ring := &Ring{}
	for i, stored := range d.Keys {
		k, err := decodeKey(stored)
		if err != nil {
			return nil, fmt.Errorf("is damaged: key %d %w: put back a copy of it", i+1, err)
		}
		ring.keys = append(ring.keys, k)
	}
	return ring, nil
}

func decodeKey(stored []byte) (key, error) {
	var e entry
	if json.Unmarshal(stored, &e) != nil || !idForm.MatchString(e.ID) {
		return key{}, errors.New("cannot be read")
	}
	name := NameOf(e.ID)
	if len(e.Secret) != size || idOf(name, e.Secret) != e.ID {
		return key{}, errors.New("does not fit its id " + e.ID)
	}
	return key{Key: Key{ID: e.ID, Name: name, Created: e.Created}, secret: e.Secret, stored: bytes.Clone(stored)}, nil
}
