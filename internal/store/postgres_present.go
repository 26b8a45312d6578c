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
func (s *session) enter(p *postgresServer) (alone bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entered = true
	return s.take(p)
}

func (s *session) take(p *postgresServer) (alone bool) {
	ctx, cancel := context.WithTimeout(context.Background(), openTime*time.Duration(len(p.hosts)+1)) // each may hang but the last
	defer cancel()
	conn, err := p.connect(ctx, "SET lock_timeout = "+milliseconds(openTime))
	if err != nil {
		return false
	}
	if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", int64(lockPresent)).Scan(&alone); err != nil {
		conn.Close(ctx)
		return false
	}
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock_shared($1)", int64(lockPresent)); err != nil {
		conn.Close(ctx)
		return false
	}
	if alone {
		_, err = conn.Exec(ctx, "SELECT pg_advisory_unlock($1)", int64(lockPresent))
	}
	s.conn = conn
	return alone && err == nil
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
	s.take(p)
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
