package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"foyer/internal/audit"
	"foyer/internal/store/db"
)

// Keys lists the ids of the keys that the database is used with, in alphabetical order. The keys themselves are never stored
// in the database.
func (s *Store) Keys(ctx context.Context) ([]string, error) {
	pool, ctx, done := s.useReadPool(ctx)
	defer done()
	ids, err := db.Collect(ctx, pool.DB, db.ScanOne[string], keyIDs)
	return ids, s.readError(pool, err)
}

// Empty reports whether the database has no leads.
func (s *Store) Empty(ctx context.Context) (bool, error) {
	pool, ctx, done := s.useReadPool(ctx)
	defer done()
	var one int64
	err := pool.QueryRowContext(ctx, `SELECT 1 FROM leads LIMIT 1`).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil
	}
	return false, s.readError(pool, err)
}

const keyIDs = `SELECT id FROM keys ORDER BY id`

// RegisterKeys replaces the key ids of the database with ids if they are exactly known, and reports whether it did. If several
// processes start at the same time, each with keys of its own, one succeeds. The audit entries are added with the ids.
func (s *Store) RegisterKeys(ctx context.Context, known, ids []string, at time.Time, entries ...audit.Entry) (done bool, err error) {
	err = s.write(ctx, func(tx *Tx) error {
		var current []string
		err := tx.query(keyIDs, nil, func(r db.Row) error { current = append(current, r.Text(0)); return nil })
		done = err == nil && slices.Equal(current, slices.Sorted(slices.Values(known)))
		if !done {
			return err
		}
		for _, e := range entries {
			if err := tx.AddAudit(e); err != nil {
				return err
			}
		}
		for _, id := range current {
			if slices.Contains(ids, id) {
				continue // its row stays as it is
			}
			if err := tx.exec(`DELETE FROM keys WHERE id = $1`, id); err != nil {
				return err
			}
		}
		for _, id := range ids {
			if err := tx.exec(`INSERT INTO keys (id, created_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`, id, micros(at)); err != nil {
				return err
			}
		}
		return nil
	})
	return done && err == nil, err
}

// RegisteredKey is a key that a database is used with.
type RegisteredKey struct {
	ID    string
	Since time.Time
}

// Keys lists the keys that the database is used with.
func (r *Reader) Keys(ctx context.Context) ([]RegisteredKey, error) {
	list, err := db.Collect(ctx, r.from, func(s db.Scanner) (k RegisteredKey, err error) {
		var at int64
		err = s.Scan(&k.ID, &at)
		k.Since = fromMicros(at)
		return k, err
	}, `SELECT id, created_at FROM keys ORDER BY id`)
	return list, TranslateError(r.engine, err)
}
