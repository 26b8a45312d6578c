package store

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// session is the connection on which a service holds the lock that says it is there. The server lets go of it when the
// process dies.
type session struct {
	mu      sync.Mutex
	entered bool
	conn    *pgx.Conn
}

// enter takes the lock, shared with others, and says whether it could have been had alone.
func (s *session) enter(p *postgresServer) (alone bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entered = true
	return s.take(p)
}

func (s *session) take(p *postgresServer) (alone bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), openTime*time.Duration(len(p.hosts)+1)) // each may hang but the last
	defer cancel()
	if s.conn == nil {
		if s.conn, err = p.connect(ctx, "SET lock_timeout = "+milliseconds(openTime)); err != nil {
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
func (s *session) lock(ctx context.Context) (alone bool, err error) {
	if err := s.conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", int64(lockPresent)).Scan(&alone); err != nil {
		return false, err
	}
	_, err = s.conn.Exec(ctx, "SELECT pg_advisory_lock_shared($1)", int64(lockPresent))
	if alone && err == nil {
		_, err = s.conn.Exec(ctx, "SELECT pg_advisory_unlock($1)", int64(lockPresent))
	}
	return alone && err == nil, err
}

// stay takes the lock again where the connection broke. Otherwise the next process to start would think itself alone.
func (s *session) stay(p *postgresServer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.entered {
		return
	}
	if s.conn != nil {
		ctx, cancel := context.WithTimeout(context.Background(), openTime)
		defer cancel()
		if s.conn.Ping(ctx) == nil {
			return
		}
		s.conn.Close(ctx)
		s.conn = nil
	}
	_, _ = s.take(p) // or at the next look
}

func (s *session) leave() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), openTime)
	defer cancel()
	err := s.conn.Close(ctx)
	s.conn, s.entered = nil, false
	return err
}
