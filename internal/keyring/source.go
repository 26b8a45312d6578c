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

// Accepted says how a source of keys is written.
const Accepted = "file:PATH, for example file:foyer.keys"

// Path is the file that a source names; "" where it names none.
func Path(source string) string {
	path, _ := strings.CutPrefix(source, "file:")
	if path == source {
		return ""
	}
	return path
}

// largest is far more than the keys of many years need.
const largest = 1 << 20

// Open reads the keys of a source. Where there are none yet, the error is fs.ErrNotExist.
func Open(source string) (*Ring, error) {
	path := Path(source)
	if path == "" {
		return nil, fmt.Errorf("keys: got %q, want %s", source, Accepted)
	}
	ring, err := read(path)
	if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	return ring, nil
}

// Create makes the keys that this program needs and stores them. Where another process was faster, the keys are that one's.
func Create(source string, at time.Time) (*Ring, error) {
	return change(source, func(there *Ring) (*Ring, error) {
		if there != nil {
			return there, nil
		}
		return (&Ring{}).with(Names, at), nil
	})
}

// Add makes the keys that the stored ones lack. All the others stay as they are.
func Add(source string, at time.Time) (*Ring, error) {
	return change(source, func(there *Ring) (*Ring, error) {
		if there == nil {
			return nil, fs.ErrNotExist
		}
		if missing := there.Missing(); len(missing) > 0 {
			return there.with(missing, at), nil
		}
		return there, nil
	})
}

// read opens a file of keys, and refuses one that others can read.
func read(path string) (*Ring, error) {
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
		return nil, fmt.Errorf("%s is open to other users of this machine; type: chmod 600 %s", path, shellWord(path))
	case info.Size() > largest:
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

// shellWord writes a path so that a shell takes it for one word.
func shellWord(path string) string {
	if strings.ContainsFunc(path, func(c rune) bool { return strings.ContainsRune(" '\"\\$`&|;<>()*?[]#~!{}\t\n", c) }) {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// change stores what becomes of the keys that are there, nil where there are none. One process at a time does so.
func change(source string, to func(*Ring) (*Ring, error)) (*Ring, error) {
	path := Path(source)
	if path == "" {
		return nil, fmt.Errorf("keys: got %q, want %s", source, Accepted)
	}
	ring, err := changeFile(path, to)
	if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	return ring, nil
}

func changeFile(path string, to func(*Ring) (*Ring, error)) (*Ring, error) {
	d, err := newDraft(path)
	if err != nil {
		return nil, err
	}
	defer d.drop()
	there, err := read(d.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	next, err := to(there)
	if err != nil || next == there {
		return next, err
	}
	return next, d.publish(next)
}
