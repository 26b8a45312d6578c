package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"

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

// Newest lists the newest leads, newest first: all, or those with one of the statuses.
func (r *Reader) Newest(ctx context.Context, limit int, statuses ...lead.Status) ([]lead.Lead, error) {
	where := ""
	if len(statuses) > 0 && slices.Contains(lead.Statuses, statuses[0]) { // in the text, where the small indexes for what is held or locked can be seen
		where = ` WHERE status = '` + string(statuses[0]) + `'`
	}
	list, err := collect(ctx, r.db, scanLead, `SELECT `+leadColumns+` FROM leads`+where+` ORDER BY seq DESC LIMIT $1`, limit)
	return list, unavailable(err)
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
	list, err := collect(ctx, r.db, func(s scanner) (x Suppression, err error) {
		var at int64
		err = s.Scan(&x.Phone, &x.Reason, &at)
		x.CreatedAt = fromMicros(at)
		return x, err
	}, `SELECT phone, reason, created_at FROM suppressions ORDER BY created_at DESC, phone`)
	return list, unavailable(err)
}
