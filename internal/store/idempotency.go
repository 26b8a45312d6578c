package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"foyer/internal/lead"
)

// idempotencyQuery finds a key by itself: + 0 keeps an engine from looking through all recent ones.
const idempotencyQuery = `SELECT request_hash, answer FROM idempotency_keys WHERE key_hash = $1 AND created_at + 0 > $2`

// idempotency finds what a key was used for since a time, inside the transaction that may save it.
func (h *dbTx) idempotency(key string, since time.Time) (*lead.Idempotency, error) {
	t := lead.Idempotency{Key: key}
	found, err := h.queryRow(idempotencyQuery, []any{key, micros(since)}, func(r row) { t.Request, t.Answer = r.text(0), []byte(r.text(1)) })
	if err != nil || !found {
		return nil, err
	}
	return &t, nil
}

// IdempotentAnswer finds what a key was used for since a time, or nil. While a writer is sick, its last commit is in doubt, and so is what
// would be found: it may be on no other disk.
func (s *Store) IdempotentAnswer(ctx context.Context, key string, since time.Time) (*lead.Idempotency, error) {
	if s.saves.down.Load() > 0 {
		return nil, errUnavailable(errDown)
	}
	t := lead.Idempotency{Key: key}
	e, ctx, done := s.useReadPool(ctx)
	defer done()
	err := e.QueryRowContext(ctx, idempotencyQuery, key, micros(since)).Scan(&t.Request, &t.Answer)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &t, s.readError(e, err)
}

// insertIdempotency remembers a key. One that has expired but is still there is overwritten.
func (h *dbTx) insertIdempotency(t lead.Idempotency, at time.Time) error {
	return h.exec(`INSERT INTO idempotency_keys (key_hash, request_hash, answer, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (key_hash) DO UPDATE SET request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at`,
		t.Key, t.Request, t.Answer, micros(at))
}
