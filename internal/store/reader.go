package store

import (
	"context"
	"database/sql"
	"errors"

	"foyer/internal/lead"
)

// Reader reads a database that a running service may be writing to. It cannot change anything.
type Reader struct {
	engine engine
	db     *sql.DB
	from   querier // db, or a snapshot of it
}

// OpenReader opens an existing database for reading only.
func OpenReader(ctx context.Context, database string) (*Reader, error) {
	e, err := engineFor(database)
	if err != nil {
		return nil, err
	}
	if err := mustExist(ctx, e); err != nil {
		return nil, err
	}
	db, err := e.read()
	if err != nil {
		return nil, err
	}
	if err := db.PingContext(ctx); err != nil {
		return nil, cannotOpen(e, errors.Join(err, db.Close()))
	}
	return &Reader{engine: e, db: db, from: db}, nil
}

// Close closes the database.
func (r *Reader) Close() error { return r.db.Close() }

// Snapshot runs do on a reader whose queries all see the database at one point in time.
func (r *Reader) Snapshot(ctx context.Context, do func(*Reader) error) error {
	tx, err := r.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return translateError(r.engine, err)
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
	return l, translateError(r.engine, err)
}

// ConsentText finds a consent text by its hash.
func (r *Reader) ConsentText(ctx context.Context, hash string) (string, error) {
	var text string
	err := r.from.QueryRowContext(ctx, `SELECT text FROM consent_texts WHERE hash = $1`, hash).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return "", &lead.Error{Kind: lead.NotFound, Message: "There is no consent text with this hash."}
	}
	return text, translateError(r.engine, err)
}

// Suppressions lists the suppressed phone numbers, newest first.
func (r *Reader) Suppressions(ctx context.Context) ([]Suppression, error) {
	list, err := collect(ctx, r.from, func(row scanner) (s Suppression, err error) {
		var at int64
		err = row.Scan(&s.Phone, &s.Reason, &at)
		s.CreatedAt = fromMicros(at)
		return s, err
	}, `SELECT phone, reason, created_at FROM suppressions ORDER BY created_at DESC, phone`)
	return list, translateError(r.engine, err)
}
