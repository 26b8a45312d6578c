package store

import (
	"context"
	"database/sql"
	"errors"

	"foyer/internal/lead"
)

// Reader looks into a database that a running service may be writing to. It cannot change anything.
type Reader struct{ db *sql.DB }

// OpenReader opens an existing database for looking only.
func OpenReader(ctx context.Context, database string) (*Reader, error) {
	path, err := sqlitePath(database)
	if err != nil {
		return nil, err
	}
	if err := mustExist(path); err != nil {
		return nil, err
	}
	db, err := openReader(path)
	if err != nil {
		return nil, err
	}
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Reader{db: db}, nil
}

// Close closes the database.
func (r *Reader) Close() error { return r.db.Close() }

// Lead finds a lead by its id.
func (r *Reader) Lead(ctx context.Context, id string) (lead.Lead, error) {
	return findLead(ctx, r.db, id)
}

// Newest lists the newest leads, newest first.
func (r *Reader) Newest(ctx context.Context, limit int) ([]lead.Lead, error) {
	rows, err := r.db.QueryContext(ctx, `SELECT `+leadColumns+` FROM leads ORDER BY seq DESC LIMIT $1`, limit)
	if err != nil {
		return nil, unavailable(err)
	}
	defer rows.Close()
	var list []lead.Lead
	for rows.Next() {
		l, err := scanLead(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, l)
	}
	return list, unavailable(rows.Err())
}

// ConsentText finds the words behind a hash.
func (r *Reader) ConsentText(ctx context.Context, hash string) (string, error) {
	var text string
	err := r.db.QueryRowContext(ctx, `SELECT text FROM consent_texts WHERE hash = $1`, hash).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return "", &lead.Error{Kind: lead.NotFound, Message: "There is no consent text with this hash."}
	}
	return text, unavailable(err)
}

// Suppressions lists the numbers, newest first.
func (r *Reader) Suppressions(ctx context.Context) ([]Suppression, error) {
	rows, err := r.db.QueryContext(ctx, `SELECT phone, reason, created_at FROM suppressions ORDER BY created_at DESC, phone`)
	if err != nil {
		return nil, unavailable(err)
	}
	defer rows.Close()
	var list []Suppression
	for rows.Next() {
		var x Suppression
		var at int64
		if err := rows.Scan(&x.Phone, &x.Reason, &at); err != nil {
			return nil, err
		}
		x.CreatedAt = fromMicros(at)
		list = append(list, x)
	}
	return list, unavailable(rows.Err())
}
