package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"
)

// Keys are the ids of the keys that the database is used with, in the order of the alphabet. The keys themselves are never
// stored here.
func (s *Store) Keys(ctx context.Context) ([]string, error) {
	e, ctx, done := s.useReadPool(ctx)
	defer done()
	ids, err := collect(ctx, e.DB, scanOne[string], keyIDs)
	return ids, s.readError(e, err)
}

// Empty says that no lead was ever kept.
func (s *Store) Empty(ctx context.Context) (bool, error) {
	e, ctx, done := s.useReadPool(ctx)
	defer done()
	var one int64
	err := e.QueryRowContext(ctx, `SELECT 1 FROM leads LIMIT 1`).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil
	}
	return false, s.readError(e, err)
}

const keyIDs = `SELECT id FROM keys ORDER BY id`

// RegisterKeys makes ids those of the database, if it has exactly the known ones at this moment, and says whether it did.
// Of several processes that start at once with keys of their own, one succeeds.
func (s *Store) RegisterKeys(ctx context.Context, known, ids []string, at time.Time) (done bool, err error) {
	err = s.write(ctx, func(h *dbTx) error {
		var there []string
		err := h.query(keyIDs, nil, func(r row) error { there = append(there, r.text(0)); return nil })
		done = err == nil && slices.Equal(there, slices.Sorted(slices.Values(known)))
		if !done {
			return err
		}
		return replaceKeys(h, there, ids, at)
	})
	return done && err == nil, err
}

// replaceKeys leaves the rows of ids that stay as they are.
func replaceKeys(h *dbTx, there, ids []string, at time.Time) error {
	for _, id := range there {
		if !slices.Contains(ids, id) {
			if err := h.exec(`DELETE FROM keys WHERE id = $1`, id); err != nil {
				return err
			}
		}
	}
	for _, id := range ids {
		if err := h.exec(`INSERT INTO keys (id, created_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`, id, micros(at)); err != nil {
			return err
		}
	}
	return nil
}

// RegisteredKey is the id of a key that a database is used with, and since when.
type RegisteredKey struct {
	ID    string
	Since time.Time
}

// Keys lists the keys that the database is used with. Tables of an earlier version know of none.
func (r *Reader) Keys(ctx context.Context) ([]RegisteredKey, error) {
	if there, err := r.engine.hasTable(ctx, r.db, "keys"); err != nil || !there {
		return nil, translateError(r.engine, err)
	}
	list, err := collect(ctx, r.db, func(s scanner) (k RegisteredKey, err error) {
		var at int64
		err = s.Scan(&k.ID, &at)
		k.Since = fromMicros(at)
		return k, err
	}, `SELECT id, created_at FROM keys ORDER BY id`)
	return list, translateError(r.engine, err)
}
