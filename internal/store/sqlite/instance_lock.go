package sqlite

import (
	"errors"
	"os"
	"sync"
	"syscall"

	"foyer/internal/store/db"
)

// instanceLock is the lock that every service holds on a file beside a SQLite database. The operating system releases it when the
// process dies.
type instanceLock struct {
	mu   sync.Mutex
	file *os.File
}

// openLock opens the file of the lock. It is not the database itself: closing any handle of that would drop SQLite's own locks.
func (f *File) openLock() (*os.File, error) {
	return os.OpenFile(f.path+"-serving", os.O_RDWR|os.O_CREATE, 0o600)
}

func (f *File) AcquireInstance() (alone bool, err error) {
	l := &f.instance
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		if l.file, err = f.openLock(); err != nil {
			return false, err
		}
	}
	alone = syscall.Flock(int(l.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
	if err := syscall.Flock(int(l.file.Fd()), syscall.LOCK_SH); err != nil {
		l.file.Close()
		l.file = nil
		return false, err
	}
	return alone, nil
}

func (f *File) KeepInstance() {} // the operating system keeps it

// ReleaseInstance closes the file: a disk cannot be unmounted for repair while a file on it is open.
func (f *File) ReleaseInstance() error {
	l := &f.instance
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	file := l.file
	l.file = nil
	return file.Close()
}

// LockExclusive takes the lock on a handle of its own. If this process holds the lock already, as a copy does, it makes that lock
// exclusive, and shared again when release is called.
func (f *File) LockExclusive() (release func() error, err error) {
	f.instance.mu.Lock()
	defer f.instance.mu.Unlock()
	if held := f.instance.file; held != nil {
		share := func() error { return syscall.Flock(int(held.Fd()), syscall.LOCK_SH) }
		if err := tryExclusive(held); err != nil {
			return nil, errors.Join(err, share()) // the attempt may have dropped the lock
		}
		return share, nil
	}
	file, err := f.openLock()
	if err != nil {
		return nil, err
	}
	if err := tryExclusive(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file.Close, nil
}

// tryExclusive locks a file exclusively, or tells who holds it: a shared lock can be had beside a service, but not beside a process
// that migrates.
func tryExclusive(file *os.File) error {
	fd := int(file.Fd())
	if syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		return nil
	}
	switch err := syscall.Flock(fd, syscall.LOCK_SH|syscall.LOCK_NB); {
	case err == nil:
		return db.ErrServing
	case errors.Is(err, syscall.EWOULDBLOCK):
		return db.ErrMigrating
	default:
		return err
	}
}
