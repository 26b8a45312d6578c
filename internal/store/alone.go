package store

import (
	"os"
	"syscall"
)

// Alone says whether there is no other service on the database at this moment. Every service keeps a lock on a file beside
// the database, which the operating system lets go of when a process dies.
func (s *Store) Alone() bool {
	// Not the database itself: to close any handle of it would drop SQLite's own locks.
	f, err := os.OpenFile(s.path+"-serving", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return false
	}
	alone := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
	if syscall.Flock(int(f.Fd()), syscall.LOCK_SH) != nil { // shared from here on: who comes later is not alone
		f.Close()
		return false
	}
	s.lock = f
	return alone
}

// letGo gives the lock back.
func (s *Store) letGo() error {
	if s.lock == nil {
		return nil
	}
	return s.lock.Close()
}
