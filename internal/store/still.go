package store

import (
	"context"
	"database/sql"
	"errors"
)

// looked is what the commands that look after a database need of an engine.
type looked interface {
	// named is the question for the engine's name and version.
	named() string
	// size is what the database takes on the disk, in bytes.
	size(ctx context.Context, from asker) (int64, error)
	// has says whether there is a table.
	has(ctx context.Context, from asker, table string) (bool, error)
	// still opens a transaction that sees one moment, however long it takes. Where held is asked for, nobody else writes
	// until it ends.
	still(ctx context.Context, held bool) (*still, error)
	// damage has the engine look for damage in its own way, and tells what it finds.
	damage(ctx context.Context, now *still, tell func(Finding)) error
	// doubts are what else can be wrong with this engine only.
	doubts(ctx context.Context, now *still, tell func(Finding)) error
	// settings tells which settings of the engine endanger or hamper a service.
	settings(ctx context.Context, from asker, tell func(Finding)) error
}

// still is a database as it is at one moment.
type still struct {
	*sql.Tx
	db *sql.DB
}

// stand begins the moment.
func stand(ctx context.Context, db *sql.DB, o sql.TxOptions) (*still, error) {
	tx, err := db.BeginTx(ctx, &o)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &still{tx, db}, nil
}

func (s *still) close() error {
	_ = s.Rollback() // nothing was written, and a context that ended has done so already
	return s.db.Close()
}
