package keyring

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// draft is the next content of a file of keys, under a name of its own. Whoever has locked it may write: two processes that
// start at the same time must not both make keys. A draft that a killed process left behind is written over.
type draft struct {
	path string // of the file that it becomes
	file *os.File
}

// newDraft waits for its turn.
func newDraft(path string) (*draft, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // a link stays a link
	}
	for {
		file, err := os.OpenFile(path+".new", os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		if err := lock(file); err != nil {
			return nil, errors.Join(err, file.Close())
		}
		if same(file) {
			return &draft{path, file}, nil
		}
		file.Close() // the process before us has made it the real one, or removed it
	}
}

func lock(file *os.File) error {
	for {
		if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// same says whether the file still has the name that it was opened by.
func same(file *os.File) bool {
	ours, err1 := file.Stat()
	named, err2 := os.Stat(file.Name())
	return err1 == nil && err2 == nil && os.SameFile(ours, named)
}

// publish writes the keys and puts them in the place of the file. They are on disk when it returns.
func (d *draft) publish(r *Ring) error {
	content, err := encode(r)
	if err != nil {
		return err
	}
	if err := d.settleOwner(); err != nil {
		return err
	}
	if err := errors.Join(d.file.Chmod(0o600), d.file.Truncate(0)); err != nil {
		return err
	}
	if _, err := d.file.WriteAt(content, 0); err != nil {
		return err
	}
	if err := d.file.Sync(); err != nil {
		return err
	}
	if err := os.Rename(d.file.Name(), d.path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(d.path))
}

// settleOwner keeps the file readable for the service. The owner stays who it was; a new file that root makes belongs to the
// owner of its folder. Another user cannot give files away and must not take this one over.
func (d *draft) settleOwner() error {
	info, err := os.Stat(d.path)
	isNew := errors.Is(err, fs.ErrNotExist)
	if isNew {
		info, err = os.Stat(filepath.Dir(d.path))
	}
	if err != nil {
		return err
	}
	owner := info.Sys().(*syscall.Stat_t)
	us := os.Geteuid()
	switch {
	case int(owner.Uid) == us:
		return nil
	case us == 0:
		return d.file.Chown(int(owner.Uid), int(owner.Gid))
	case isNew:
		return nil
	}
	return fmt.Errorf("%s lacks a key that this version needs, and belongs to another user: run foyer keys init as that user", d.path)
}

// drop removes what was not published, and lets the next process write.
func (d *draft) drop() {
	if same(d.file) {
		os.Remove(d.file.Name())
	}
	d.file.Close()
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
