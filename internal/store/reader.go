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
	return &Reader{engine: e, pool: pool}, nil
}

// Close closes the database.
func (r *Reader) Close() error { return r.pool.Close() }

// Lead finds a lead by its id.
func (r *Reader) Lead(ctx context.Context, id string) (lead.Lead, error) {
	l, err := scanLead(r.pool.QueryRowContext(ctx, `SELECT `+leadColumns+` FROM leads WHERE id = $1`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return l, noLead()
	}
	return l, TranslateError(r.engine, err)
}

// ConsentText finds a consent text by its hash.
func (r *Reader) ConsentText(ctx context.Context, hash string) (string, error) {
	var text string
	err := r.pool.QueryRowContext(ctx, `SELECT text FROM consent_texts WHERE hash = $1`, hash).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return "", &lead.Error{Kind: lead.NotFound, Message: "There is no consent text with this hash."}
	}
	return text, TranslateError(r.engine, err)
}

// Suppressions lists the suppressed phone numbers, newest first.
func (r *Reader) Suppressions(ctx context.Context) ([]Suppression, error) {
	list, err := db.Collect(ctx, r.pool, func(row db.Scanner) (s Suppression, err error) {
		var at int64
		err = row.Scan(&s.Phone, &s.Reason, &at)
		s.CreatedAt = fromMicros(at)
		return s, err
	}, `SELECT phone, reason, created_at FROM suppressions ORDER BY created_at DESC, phone`)
	return list, TranslateError(r.engine, err)
}
