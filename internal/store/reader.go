package store

import (
	"context"
	"database/sql"
	"errors"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/migrations"
)

// Reader reads a database that a running service may be writing to. It cannot change anything.
type Reader struct {
	engine db.Engine
	pool   *sql.DB
	from   db.Querier // pool, or a snapshot of it
}

// OpenReader opens an existing database for reading only.
func OpenReader(ctx context.Context, database string) (*Reader, error) {
	e, err := EngineFor(database)
	if err != nil {
		return nil, err
	}
	if err := db.MustExist(ctx, e); err != nil {
		return nil, err
	}
	pool, err := e.Read()
	if err != nil {
		return nil, err
	}
	if err := pool.PingContext(ctx); err != nil {
		return nil, db.CannotOpen(e, errors.Join(err, pool.Close()))
	}
	if err := migrations.CheckReadable(ctx, e, pool); err != nil {
		return nil, db.CannotOpen(e, errors.Join(err, pool.Close()))
	}
	return &Reader{engine: e, pool: pool, from: pool}, nil
}

// Close closes the database.
func (r *Reader) Close() error { return r.pool.Close() }

// Snapshot runs do on a reader whose queries all see the database at one point in time.
func (r *Reader) Snapshot(ctx context.Context, do func(*Reader) error) error {
	tx, err := r.pool.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return TranslateError(r.engine, err)
	}
	defer tx.Rollback() // there is nothing to commit
	return do(&Reader{engine: r.engine, from: tx})
}

// Lead finds a lead by its id.
func (r *Reader) Lead(ctx context.Context, id string) (lead.Lead, error) {
	l, err := scanLead(r.from.QueryRowContext(ctx, `SELECT `+leadColumns+` FROM leads WHERE id = $1`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return l, noLead()
	}
	return l, TranslateError(r.engine, err)
}

// ConsentText finds a consent text by its hash.
func (r *Reader) ConsentText(ctx context.Context, hash string) (string, error) {
	var text string
	err := r.from.QueryRowContext(ctx, `SELECT text FROM consent_texts WHERE hash = $1`, hash).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return "", &lead.Error{Kind: lead.NotFound, Message: "There is no consent text with this hash."}
	}
	return text, TranslateError(r.engine, err)
}

// Suppressions lists the suppressed phone numbers, newest first.
func (r *Reader) Suppressions(ctx context.Context) ([]Suppression, error) {
	list, err := db.Collect(ctx, r.from, func(row db.Scanner) (s Suppression, err error) {
		var at int64
		err = row.Scan(&s.Phone, &s.Reason, &at)
		s.CreatedAt = fromMicros(at)
		return s, err
	}, `SELECT phone, reason, created_at FROM suppressions ORDER BY created_at DESC, phone`)
	return list, TranslateError(r.engine, err)
}
