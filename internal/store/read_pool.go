package store

import (
	"context"
	"database/sql"
	"errors"

	"foyer/internal/store/db"
)

// readPool is the pool of connections that a service reads from.
type readPool struct {
	*sql.DB
	summary *sql.Stmt
}

func openReadPool(ctx context.Context, e db.Engine) (*readPool, error) {
	db, err := e.Read()
	if err != nil {
		return nil, err
	}
	summary, err := db.PrepareContext(ctx, summaryQuery)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &readPool{DB: db, summary: summary}, nil
}

// useReadPool returns the pool to read from, and a context with the engine's timeout. The caller calls done after the read.
func (s *Store) useReadPool(ctx context.Context) (pool *readPool, readCtx context.Context, done context.CancelFunc) {
	readCtx, done = s.engine.ReadContext(ctx)
	return s.readPool.Load(), readCtx, done
}
