package store

import (
	"context"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/commit"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// idempotencyQuery finds one key: + 0 keeps an engine from using the index on created_at, which would read all recent keys.
const idempotencyQuery = `SELECT request_hash, answer FROM idempotency_keys WHERE key_hash = $1 AND created_at + 0 > $2`

// idempotency finds the answer for a key that was used since a time, or nil.
func (tx *Tx) idempotency(key string, since time.Time) (*lead.Idempotency, error) {
	t := lead.Idempotency{Key: key}
	found, err := tx.queryRow(idempotencyQuery, []any{key, rows.Micros(since)}, func(r db.Row) { t.Request, t.Answer = r.Text(0), []byte(r.Text(1)) })
	if err != nil || !found {
		return nil, err
	}
	return &t, nil
}

// IdempotentAnswer finds the answer for a key that was used since a time, or nil. While a writer is down, it refuses: the outcome
// of that writer's last commit is unknown, so a key that a read finds may be lost again: it may be on no other disk.
func (s *Store) IdempotentAnswer(ctx context.Context, key string, since time.Time) (*lead.Idempotency, error) {
	if s.saves.WritersDown() > 0 {
		return nil, errUnavailable(commit.ErrDown)
	}
	return read(ctx, s, func(tx *Tx) (*lead.Idempotency, error) { return tx.idempotency(key, since) })
}

// insertIdempotency stores a key. It overwrites an expired key that was not deleted yet.
func (tx *Tx) insertIdempotency(t lead.Idempotency, at time.Time) error {
	return tx.exec(`INSERT INTO idempotency_keys (key_hash, request_hash, answer, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (key_hash) DO UPDATE SET request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at`,
		t.Key, t.Request, t.Answer, rows.Micros(at))
}
