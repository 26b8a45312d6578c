package store

import (
	"errors"
	"os"
	"syscall"
)

func (f *sqliteFile) lockExclusive() (release func() error, err error) {
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
		return errServing
	case errors.Is(err, syscall.EWOULDBLOCK):
		return errMigrating
	default:
		return err
	}
}
