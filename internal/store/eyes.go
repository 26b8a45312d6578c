package store

import (
	"context"
	"database/sql"
	"errors"
)

// eyes are the connections of a service that read.
type eyes struct {
	*sql.DB
	glance *sql.Stmt
	shut   bool
}

func openEyes(ctx context.Context, e engine) (*eyes, error) {
	db, err := e.read()
	if err != nil {
		return nil, err
	}
	glance, err := db.PrepareContext(ctx, glanceQuery)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &eyes{DB: db, glance: glance}, nil
}

// close closes them. A second time is no news: a database that could not be reopened was closed before.
func (e *eyes) close() error {
	if e.shut {
		return nil
	}
	e.shut = true
	return e.DB.Close()
}

// look is how a question is put: to whom, and for how long. The question ends with done.
func (s *Store) look(ctx context.Context) (e *eyes, asking context.Context, done context.CancelFunc) {
	asking, done = s.engine.asking(ctx)
	return s.eyes.Load(), asking, done
}
