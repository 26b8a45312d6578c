package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

func (p *postgresServer) lockExclusive() (release func() error, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), connectTimeout*time.Duration(len(p.hosts)+1)) // each host but the last may hang
	defer cancel()
	return p.instance.lockExclusive(ctx, p)
}

// lockExclusive takes the lock on a connection of its own. If this process holds the lock already, as a copy does, it uses that
// connection: the locks of one connection do not exclude each other. Processes that migrate wait for each other by another lock, so
// whoever holds this one is a service.
func (l *advisoryLock) lockExclusive(ctx context.Context, p *postgresServer) (release func() error, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	conn := l.conn
	release = func() error { return unlockExclusive(conn) }
	if conn == nil {
		if conn, err = p.connect(ctx); err != nil {
			return nil, err
		}
		release = func() error { return closeConn(conn) }
	}
	var locked bool
	if err = conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", int64(lockInstances)).Scan(&locked); err == nil && !locked {
		err = errServing
	}
	if err != nil && conn != l.conn {
		_ = closeConn(conn)
	}
	return release, err
}

func unlockExclusive(conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
	defer cancel()
	_, err := conn.Exec(ctx, "SELECT pg_advisory_unlock($1)", int64(lockInstances))
	return err
}

func closeConn(conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
	defer cancel()
	return conn.Close(ctx)
}
