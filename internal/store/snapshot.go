package store

import (
	"context"
	"database/sql"
	"errors"
)

// inspectable is what the maintenance commands need from an engine.
type inspectable interface {
	// versionQuery selects the engine's name and version.
	versionQuery() string
	// size is the size of the database on disk, in bytes.
	size(ctx context.Context, from querier) (int64, error)
	// hasTable reports whether a table exists.
	hasTable(ctx context.Context, from querier, table string) (bool, error)
	// snapshot opens a transaction that sees the database at one point in time, however long it runs. If exclusive is set, no
	// other process can write until it ends.
	snapshot(ctx context.Context, exclusive bool) (*snapshot, error)
	// checkDamage runs the engine's own check for damage and reports what it finds.
	checkDamage(ctx context.Context, snap *snapshot, report func(Finding)) error
	// checkEngine reports problems that only this engine can have.
	checkEngine(ctx context.Context, snap *snapshot, report func(Finding)) error
	// checkSettings reports engine settings that put data at risk or slow a service down.
	checkSettings(ctx context.Context, from querier, report func(Finding)) error
}

// snapshot is a database at one point in time.
type snapshot struct {
	*sql.Tx
	db *sql.DB
}

// openSnapshot starts the transaction.
func openSnapshot(ctx context.Context, db *sql.DB, o sql.TxOptions) (*snapshot, error) {
	tx, err := db.BeginTx(ctx, &o)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &snapshot{tx, db}, nil
}

func (s *snapshot) close() error {
	_ = s.Rollback() // nothing was written, and a canceled context has already rolled it back
	return s.db.Close()
}
