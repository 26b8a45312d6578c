package keyring

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// tempFile holds the next content of a key file, under its own name. Only the process that has locked it may write: two
// processes that start at the same time must not both make keys. A temp file that a killed process left behind is
// overwritten.
type tempFile struct {
	path string // of the key file that it replaces
	file *os.File
}

// openTempFile waits for the lock.
func openTempFile(path string) (*tempFile, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // replace the target, not the symbolic link
	}
	for {
		file, err := os.OpenFile(path+".new", os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		if err := lock(file); err != nil {
			return nil, errors.Join(err, file.Close())
		}
		if stillAtPath(file) {
			return &tempFile{path, file}, nil
		}
		file.Close() // the previous lock holder has renamed it to the key file, or removed it
	}
}

func lock(file *os.File) error {
	for {
		if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// stillAtPath reports whether the file still has the name that it was opened by.
func stillAtPath(file *os.File) bool {
	opened, err1 := file.Stat()
	named, err2 := os.Stat(file.Name())
	return err1 == nil && err2 == nil && os.SameFile(opened, named)
}

// publish writes the keys and replaces the key file. They are on disk when publish returns.
func (f *tempFile) publish(r *Ring) error {
	content, err := encode(r)
	if err != nil {
		return err
	}
	if err := f.setOwner(); err != nil {
		return err
	}
	if err := errors.Join(f.file.Chmod(0o600), f.file.Truncate(0)); err != nil {
		return err
	}
	if _, err := f.file.WriteAt(content, 0); err != nil {
		return err
	}
	if err := f.file.Sync(); err != nil {
		return err
	}
	if err := os.Rename(f.file.Name(), f.path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(f.path))
}

// setOwner keeps the file readable for the service. The owner does not change; a new file that root creates gets the
// owner of its directory. Other users cannot give files away, and must not take over this one.
func (f *tempFile) setOwner() error {
	info, err := os.Stat(f.path)
	isNew := errors.Is(err, fs.ErrNotExist)
	if isNew {
		info, err = os.Stat(filepath.Dir(f.path))
	}
	if err != nil {
		return err
	}
	owner := info.Sys().(*syscall.Stat_t)
	euid := os.Geteuid()
	switch {
	case int(owner.Uid) == euid:
		return nil
	case euid == 0:
		return f.file.Chown(int(owner.Uid), int(owner.Gid))
	case isNew:
		return nil
	}
	return fmt.Errorf("%s lacks a key that this version needs, and belongs to another user: run foyer keys init as that user", f.path)
}

// discard removes the file if it was not published, and releases the lock.
func (f *tempFile) discard() {
	if stillAtPath(f.file) {
		os.Remove(f.file.Name())
	}
	f.file.Close()
}

func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
