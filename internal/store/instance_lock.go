package store

import (
	"context"
	"os"
	"sync"
	"syscall"
)

// OnlyInstance says whether there is no other service on the database at this moment. From here on this one counts as there, so
// it looks once more whether the database stays where it is: a copy may have begun since it was opened.
func (s *Store) OnlyInstance(ctx context.Context) (bool, error) {
	alone, err := s.engine.acquireInstance()
	if err != nil {
		s.log.Warn("nobody can say whether another service is on the database", "cause", oneLine(err))
	}
	return alone, checkUsable(ctx, s.readPool.Load().DB)
}

// instanceLock is the lock that every service keeps on a file beside a SQLite database, and which the operating system lets
// go of when a process dies.
type instanceLock struct {
	mu   sync.Mutex
	path string // "" before anybody asked
	file *os.File
}

// acquire takes the lock. The file is not the database itself: to close any handle of that would drop SQLite's own locks.
func (p *instanceLock) acquire(path string) (alone bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.path = path
	return p.lockFile()
}

// lockFile takes the lock, shared with others, and says whether it could have been had alone.
func (p *instanceLock) lockFile() (alone bool, err error) {
	if p.file == nil {
		if p.file, err = os.OpenFile(p.path, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
			return false, err
		}
	}
	alone = syscall.Flock(int(p.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
	if err := syscall.Flock(int(p.file.Fd()), syscall.LOCK_SH); err != nil {
		p.file.Close()
		p.file = nil
		return false, err
	}
	return alone, nil
}

// release lets go of the file: a disk that is to be mended cannot be unmounted while anything on it is open.
func (p *instanceLock) release() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file == nil {
		return nil
	}
	f := p.file
	p.file = nil
	return f.Close()
}

// reacquire takes the lock again where it was held before.
func (p *instanceLock) reacquire() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.path == "" {
		return nil
	}
	_, err := p.lockFile()
	return err
}
