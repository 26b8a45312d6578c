package sqlite

import (
	"os"
	"sync"
	"syscall"
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
