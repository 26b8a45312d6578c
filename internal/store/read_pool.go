package store

import (
	"context"
	"database/sql"
	"errors"
)

// readPool are the connections of a service that read.
type readPool struct {
	*sql.DB
	summary *sql.Stmt
	closed    bool
}

func openReadPool(ctx context.Context, e engine) (*readPool, error) {
	db, err := e.read()
	if err != nil {
		return nil, err
	}
	glance, err := db.PrepareContext(ctx, summaryQuery)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &readPool{DB: db, summary: glance}, nil
}

// close closes them. A second time is no news: a database that could not be reopened was closed before.
func (e *readPool) close() error {
	if e.closed {
		return nil
	}
	e.closed = true
	return e.DB.Close()
}

// useReadPool is how a question is put: to whom, and for how long. The question ends with done.
func (s *Store) useReadPool(ctx context.Context) (e *readPool, asking context.Context, done context.CancelFunc) {
	asking, done = s.engine.readContext(ctx)
	return s.readPool.Load(), asking, done
}
