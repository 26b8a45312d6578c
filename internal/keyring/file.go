package keyring

import (
	"encoding/json"
	"errors"
	"fmt"
)

// aboutText explains the file to people who open it.
const aboutText = "The keys of a Foyer database. Keep this file secret, and keep a copy of it apart from the backups of the database. docs/operations.md says what is lost with it."

// formatVersion is the version of the file format. New key names, and new members of a key, need no new version.
const formatVersion = 1

type document struct {
	About   string            `json:"about"`
	Version int               `json:"version"`
	Keys    []json.RawMessage `json:"keys"`
}

func encode(r *Ring) ([]byte, error) {
	doc := document{About: aboutText, Version: formatVersion}
	for _, k := range r.keys {
		stored := k.stored
		if stored == nil {
			var err error
			if stored, err = json.Marshal(k); err != nil {
				return nil, err
			}
		}
		doc.Keys = append(doc.Keys, stored)
	}
	content, err := json.MarshalIndent(doc, "", "  ")
	return append(content, '\n'), err
}

// decode parses a key file. Its errors continue a sentence that starts with the file's name, and never show the
// content.
func decode(content []byte) (*Ring, error) {
	var doc document
	if json.Unmarshal(content, &doc) != nil || doc.Version < 1 {
		return nil, errors.New("is not a file of keys, or is damaged: put back a copy of it")
	}
	if doc.Version > formatVersion {
		return nil, fmt.Errorf("has form %d, and this foyer knows form %d: it was written by a later version", doc.Version, formatVersion)
	}
	ring := &Ring{}
	for i, stored := range doc.Keys {
		k, err := decodeKey(stored)
		if err != nil {
			return nil, fmt.Errorf("is damaged: key %d %w: put back a copy of it", i+1, err)
		}
		ring.keys = append(ring.keys, k)
	}
	return ring, nil
}

func decodeKey(stored []byte) (key, error) {
	k := key{stored: stored}
	if json.Unmarshal(stored, &k) != nil || !keyIDPattern.MatchString(k.ID) {
		return key{}, errors.New("cannot be read")
	}
	if len(k.Secret) != keySize || keyID(NameOf(k.ID), k.Secret) != k.ID {
		return key{}, errors.New("does not fit its id " + k.ID)
	}
	return k, nil
}
