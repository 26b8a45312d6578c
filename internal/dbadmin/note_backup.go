package dbadmin

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"foyer/internal/store"
	"foyer/internal/store/alerts"
	"foyer/internal/store/rows"
	"foyer/internal/store/sqlite"
)

// NoteBackup notes in a database when a backup of it was made, for the alert about old backups. The tables may be those of an earlier
// version: then there is nothing to note.
func NoteBackup(ctx context.Context, database string, at time.Time) (err error) {
	e, err := store.EngineFor(database)
	if err != nil {
		return err
	}
	from, ok := e.(*sqlite.File)
	if !ok {
		return nil
	}
	pool, err := sql.Open("sqlite", sqlite.DSN(from.Path()))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	var known int
	if err := pool.QueryRowContext(ctx, `SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'alert_facts'`).Scan(&known); err != nil || known == 0 {
		return err
	}
	_, err = pool.ExecContext(ctx, alerts.PutFact, alerts.FactBackup, "", rows.Micros(at), int64(0))
	return err
}
