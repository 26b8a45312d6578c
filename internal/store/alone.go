package store

import (
	"os"
	"sync"
	"syscall"
)

// Alone says whether there is no other service on the database at this moment. From here on this one counts as there.
func (s *Store) Alone() bool { return s.engine.alone() }

// presence is the lock that every service keeps on a file beside a SQLite database, and which the operating system lets
// go of when a process dies.
type presence struct {
	mu     sync.Mutex
	path   string // "" before anybody asked
	file   *os.File
	hurdle error // why the lock could not be had at all
}

// enter takes the lock. The file is not the database itself: to close any handle of that would drop SQLite's own locks.
func (p *presence) enter(path string) (alone bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.path = path
	return p.take()
}

// take takes the lock, shared with others, and says whether it could have been had alone.
func (p *presence) take() (alone bool) {
	f, err := os.OpenFile(p.path, os.O_RDWR|os.O_CREATE, 0o600)
	if p.hurdle = err; err != nil {
		return false
	}
	alone = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
	if p.hurdle = syscall.Flock(int(f.Fd()), syscall.LOCK_SH); p.hurdle != nil {
		f.Close()
		return false
	}
	p.file = f
	return alone
}

// leave lets go of the file: a disk that is to be mended cannot be unmounted while anything on it is open.
func (p *presence) leave() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file == nil {
		return nil
	}
	f := p.file
	p.file = nil
	return f.Close()
}

// comeBack takes the lock again where it was held before.
func (p *presence) comeBack() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.path != "" && p.file == nil {
		p.take()
	}
}
