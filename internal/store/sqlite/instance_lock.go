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

// acquire takes the shared lock and reports whether the exclusive lock was available. The file is not the database itself: closing any handle of that would drop SQLite's own locks.
func (l *instanceLock) acquire(path string) (exclusive bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		if l.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
			return false, err
		}
	}
	exclusive = syscall.Flock(int(l.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
	if err := syscall.Flock(int(l.file.Fd()), syscall.LOCK_SH); err != nil {
		l.file.Close()
		l.file = nil
		return false, err
	}
	return exclusive, nil
}

// release closes the file: a disk cannot be unmounted for repair while a file on it is open.
func (l *instanceLock) release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	f := l.file
	l.file = nil
	return f.Close()
}

// LockExclusive takes the instance lock for a migration.
func (f *File) LockExclusive() (release func() error, err error) {
	return f.instance.lockExclusive(f.path + "-serving")
}

// lockExclusive takes the lock on a handle of its own. If this process holds the lock already, as a copy does, it makes that lock
// exclusive, and shared again when release is called.
func (l *instanceLock) lockExclusive(path string) (release func() error, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if held := l.file; held != nil {
		share := func() error { return syscall.Flock(int(held.Fd()), syscall.LOCK_SH) }
		if err := tryExclusive(held); err != nil {
			return nil, errors.Join(err, share()) // the attempt may have dropped the lock
		}
		return share, nil
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
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
