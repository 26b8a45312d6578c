package store

import (
	"context"
	"database/sql"
	"errors"
)

// inspectable is what the commands that look after a database need of an engine.
type inspectable interface {
	// versionQuery is the question for the engine's name and version.
	versionQuery() string
	// size is what the database takes on the disk, in bytes.
	size(ctx context.Context, from querier) (int64, error)
	// hasTable says whether there is a table.
	hasTable(ctx context.Context, from querier, table string) (bool, error)
	// snapshot opens a transaction that sees one moment, however long it takes. Where held is asked for, nobody else writes
	// until it ends.
	snapshot(ctx context.Context, held bool) (*snapshot, error)
	// checkDamage has the engine look for damage in its own way, and tells what it finds.
	checkDamage(ctx context.Context, now *snapshot, tell func(Finding)) error
	// checkEngine are what else can be wrong with this engine only.
	checkEngine(ctx context.Context, now *snapshot, tell func(Finding)) error
	// checkSettings tells which settings of the engine endanger or hamper a service.
	checkSettings(ctx context.Context, from querier, tell func(Finding)) error
}

// snapshot is a database as it is at one moment.
type snapshot struct {
	*sql.Tx
	db *sql.DB
}

// openSnapshot begins the moment.
func openSnapshot(ctx context.Context, db *sql.DB, o sql.TxOptions) (*snapshot, error) {
	tx, err := db.BeginTx(ctx, &o)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &snapshot{tx, db}, nil
}

func (s *snapshot) close() error {
	_ = s.Rollback() // nothing was written, and a context that ended has done so already
	return s.db.Close()
}
