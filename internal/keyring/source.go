package keyring

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
)

// maxFileSize is far more than the keys of many years need.
const maxFileSize = 1 << 20

// Open loads the keys of a file. If there is no file yet, the error is fs.ErrNotExist.
func Open(path string) (*Ring, error) {
	ring, err := readFile(path)
	if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	return ring, nil
}

// Create makes the keys that this program needs and stores them. If another process was faster, Create returns that
// process's keys.
func Create(path string, at time.Time) (*Ring, error) {
	return update(path, func(current *Ring) (*Ring, error) {
		if current != nil {
			return current, nil
		}
		return (&Ring{}).withNewKeys(Names, at), nil
	})
}

// Add makes the missing keys. All others stay as they are.
func Add(path string, at time.Time) (*Ring, error) {
	return update(path, func(current *Ring) (*Ring, error) {
		if current == nil {
			return nil, fs.ErrNotExist
		}
		if missing := current.Missing(); len(missing) > 0 {
			return current.withNewKeys(missing, at), nil
		}
		return current, nil
	})
}

// readFile loads a key file, and refuses one that other users can read.
func readFile(path string) (*Ring, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", path)
	case info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("%s is open to other users of this machine; type: chmod 600 %s", path, shellQuote(path))
	case info.Size() > maxFileSize:
		return nil, fmt.Errorf("%s is too large to be a file of keys", path)
	}
	content, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	ring, err := decode(content)
	if err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	return ring, nil
}

// shellQuote quotes a path so that a shell reads it as one word.
func shellQuote(path string) string {
	if strings.ContainsFunc(path, func(c rune) bool { return strings.ContainsRune(" '\"\\$`&|;<>()*?[]#~!{}\t\n", c) }) {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// update replaces the stored keys with what next returns for them; the argument is nil if there are none. Only one
// process at a time can update.
func update(path string, next func(*Ring) (*Ring, error)) (ring *Ring, err error) {
	defer func() {
		if err != nil {
			ring, err = nil, fmt.Errorf("keys: %w", err)
		}
	}()
	temp, err := openTempFile(path)
	if err != nil {
		return nil, err
	}
	defer temp.discard()
	current, err := readFile(temp.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if ring, err = next(current); err != nil || ring == current {
		return ring, err
	}
	return ring, temp.publish(ring)
}
