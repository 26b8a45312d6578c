package store

import (
	"context"
	"errors"
	"os"
	"sync"
	"syscall"
)

// OnlyInstance takes this process's shared lock and reports whether no other service uses the database at the moment. It then
// checks again that the database was not moved, and that no newer program changed its tables: a copy or a migration may have
// started after it was opened.
func (s *Store) OnlyInstance(ctx context.Context) (bool, error) {
	exclusive, err := s.engine.acquireInstance()
	if err != nil {
		s.log.Warn("cannot tell whether another process uses the database", "cause", oneLine(err))
	}
	db := s.readPool.Load().DB
	all, err := listMigrations(ctx, s.engine, db)
	if err == nil {
		err = checkNotNewer(versions(all))
	}
	return exclusive, errors.Join(err, checkUsable(ctx, db))
}

// instanceLock is the lock that every service holds on a file beside a SQLite database. The operating system releases it when the
// process dies.
type instanceLock struct {
	mu   sync.Mutex
	path string // before the first acquire
	file *os.File
}

// acquire takes the lock. The file is not the database itself: closing any handle of that would drop SQLite's own locks.
func (l *instanceLock) acquire(path string) (exclusive bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.path = path
	return l.lockFile()
}

// lockFile takes the shared lock and reports whether the exclusive lock was available.
func (l *instanceLock) lockFile() (exclusive bool, err error) {
	if l.file == nil {
		if l.file, err = os.OpenFile(l.path, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
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

// reacquire takes the lock again if it was held before.
func (l *instanceLock) reacquire() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.path == "" {
		return nil
	}
	_, err := l.lockFile()
	return err
}
