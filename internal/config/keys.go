package config

import (
	"path/filepath"
	"strings"

	"foyer/internal/keyring"
)

// Keys names a source of keys.
type Keys string

// UnmarshalText checks the name.
func (k *Keys) UnmarshalText(text []byte) error {
	given := string(text)
	if given == "" { // an empty variable sets nothing
		return nil
	}
	if keyring.Path(given) == "" {
		return refuse(given, keyring.Accepted)
	}
	*k = Keys(given)
	return nil
}

// defaultKeys is what an empty variable leaves.
const defaultKeys Keys = "file:foyer.keys"

// KeySource is the source of the database's keys. A relative path starts where the database is, so that the two stay
// together wherever a command is typed. A server's files are not ours: there it starts in the working folder.
func (d Data) KeySource() string {
	source := d.Keys
	if source == "" {
		source = defaultKeys
	}
	path := keyring.Path(string(source))
	if file, ok := strings.CutPrefix(string(d.Database), "sqlite:"); ok && !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(file), path)
	}
	return "file:" + path
}

// KeyFile is the file of the keys as people find it from anywhere.
func (d Data) KeyFile() string {
	path := keyring.Path(d.KeySource())
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}
