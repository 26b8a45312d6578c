package store

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// advisoryLock is the connection on which a service holds the lock that says it is there. The server lets go of it when the
// process dies.
type advisoryLock struct {
	mu   sync.Mutex
	held bool
	conn *pgx.Conn
}

// acquire takes the lock, shared with others, and says whether it could have been had alone.
func (s *advisoryLock) acquire(p *postgresServer) (alone bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = true
	return s.tryLock(p)
}

func (s *advisoryLock) tryLock(p *postgresServer) (alone bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), connectTimeout*time.Duration(len(p.hosts)+1)) // each may hang but the last
	defer cancel()
	if s.conn == nil {
		if s.conn, err = p.connect(ctx, "SET lock_timeout = "+milliseconds(connectTimeout)); err != nil {
			return false, err
		}
	}
	if alone, err = s.lock(ctx); err != nil {
		s.conn.Close(ctx)
		s.conn = nil
	}
	return alone, err
}

// lock tries for the lock alone, and keeps it shared, once for each time it is asked.
func (s *advisoryLock) lock(ctx context.Context) (alone bool, err error) {
	if err := s.conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", int64(lockInstances)).Scan(&alone); err != nil {
		return false, err
	}
	_, err = s.conn.Exec(ctx, "SELECT pg_advisory_lock_shared($1)", int64(lockInstances))
	if alone && err == nil {
		_, err = s.conn.Exec(ctx, "SELECT pg_advisory_unlock($1)", int64(lockInstances))
	}
	return alone && err == nil, err
}

// keepAlive takes the lock again where the connection broke. Otherwise the next process to start would think itself alone.
func (s *advisoryLock) keepAlive(p *postgresServer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.held {
		return
	}
	if s.conn != nil {
		ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
		defer cancel()
		if s.conn.Ping(ctx) == nil {
			return
		}
		s.conn.Close(ctx)
		s.conn = nil
	}
	_, _ = s.tryLock(p) // or at the next look
}

func (s *advisoryLock) release() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
	defer cancel()
	err := s.conn.Close(ctx)
	s.conn, s.held = nil, false
	return err
}
