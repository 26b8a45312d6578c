package config

import (
	"path/filepath"
	"strings"

	"foyer/internal/keyring"
)

// Keys names a key source.
type Keys string

// UnmarshalText validates the source.
func (k *Keys) UnmarshalText(text []byte) error {
	given := string(text)
	if given == "" { // an empty variable means unset
		return nil
	}
	if keyring.Path(given) == "" {
		return invalidValue(given, keyring.Accepted)
	}
	*k = Keys(given)
	return nil
}

// defaultKeys applies if the variable is empty.
const defaultKeys Keys = "file:foyer.keys"

// KeySource returns the source of the database's keys. A relative path starts in the folder of a SQLite database, so that
// the two stay together whatever the working folder. For PostgreSQL it starts in the working folder.
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

// KeyFile returns the absolute path of the key file.
func (d Data) KeyFile() string {
	path := keyring.Path(d.KeySource())
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}
