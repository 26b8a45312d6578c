package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"foyer/internal/store/db"
)

// advisoryLock is the connection on which a service holds the shared instance lock. The server releases the lock when the process
// dies.
type advisoryLock struct {
	mu   sync.Mutex
	held bool
	conn *pgx.Conn
}

func (p *Server) AcquireInstance() (alone bool, err error) {
	p.instance.mu.Lock()
	defer p.instance.mu.Unlock()
	p.instance.held = true
	return p.lockInstance()
}

// lockInstance takes the shared lock, over a new connection if there is none, and reports whether no other process holds it.
func (p *Server) lockInstance() (alone bool, err error) {
	ctx, cancel := p.lockContext()
	defer cancel()
	l := &p.instance
	if l.conn == nil {
		if l.conn, err = p.connect(ctx, nil, "SET lock_timeout = "+milliseconds(p.connectTimeout)); err != nil {
			return false, err
		}
	}
	if alone, err = l.lock(ctx); err != nil {
		l.conn.Close(ctx)
		l.conn = nil
	}
	return alone, err
}

// lockContext bounds how long it may take to lock: each host but the last may hang.
func (p *Server) lockContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), p.connectTimeout*time.Duration(len(p.hosts)+1))
}

// lock tries the exclusive lock, then takes the shared one. Each call adds one shared lock.
func (l *advisoryLock) lock(ctx context.Context) (exclusive bool, err error) {
	if err := l.conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", int64(lockInstances)).Scan(&exclusive); err != nil {
		return false, err
	}
	_, err = l.conn.Exec(ctx, "SELECT pg_advisory_lock_shared($1)", int64(lockInstances))
	if exclusive && err == nil {
		_, err = l.conn.Exec(ctx, "SELECT pg_advisory_unlock($1)", int64(lockInstances))
	}
	return exclusive && err == nil, err
}

// KeepInstance takes the lock again if the connection broke. Otherwise the next process to start would believe that it is the only
// one.
func (p *Server) KeepInstance() {
	l := &p.instance
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.held {
		return
	}
	if l.conn != nil {
		ctx, cancel := context.WithTimeout(context.Background(), p.connectTimeout)
		defer cancel()
		if l.conn.Ping(ctx) == nil {
			return
		}
		l.conn.Close(ctx)
		l.conn = nil
	}
	_, _ = p.lockInstance() // or on the next call
}

func (p *Server) ReleaseInstance() error {
	l := &p.instance
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held = false
	if l.conn == nil {
		return nil
	}
	err := closeConn(l.conn)
	l.conn = nil
	return err
}

// LockExclusive takes the lock on a connection of its own. If this process holds the lock already, as a copy does, it uses that
// connection: the locks of one connection do not exclude each other. Processes that migrate wait for each other by another lock, so
// the holder of this one is a service.
func (p *Server) LockExclusive() (release func() error, err error) {
	ctx, cancel := p.lockContext()
	defer cancel()
	l := &p.instance
	l.mu.Lock()
	defer l.mu.Unlock()
	held := l.conn
	release = func() error { return unlockExclusive(held) }
	if held == nil {
		if held, err = p.connect(ctx, nil); err != nil {
			return nil, err
		}
		release = func() error { return closeConn(held) }
	}
	var locked bool
	if err = held.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", int64(lockInstances)).Scan(&locked); err == nil && !locked {
		err = db.ErrServing
	}
	if err != nil && held != l.conn {
		_ = closeConn(held)
	}
	return release, err
}

func unlockExclusive(c *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(context.Background(), db.ConnectTimeout)
	defer cancel()
	_, err := c.Exec(ctx, "SELECT pg_advisory_unlock($1)", int64(lockInstances))
	return err
}
