package store

import (
	"os"
	"syscall"
)

// Alone says whether this is the only service on the database. Its word holds until the store is closed: a lock on a
// file beside the database is kept, which the operating system lets go of when the process dies.
func (s *Store) Alone() bool {
	if s.lock != nil {
		return true
	}
	// Not the database itself: to close any handle of it would drop SQLite's own locks.
	f, err := os.OpenFile(s.path+"-serving", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return false
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		f.Close()
		return false
	}
	s.lock = f
	return true
}

// letGo gives the lock back.
func (s *Store) letGo() error {
	if s.lock == nil {
		return nil
	}
	return s.lock.Close()
}
