package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"foyer/internal/lead"
)

// ticketQuery finds a key by itself: + 0 keeps an engine from looking through all recent ones.
const ticketQuery = `SELECT request_hash, answer FROM idempotency_keys WHERE key_hash = $1 AND created_at + 0 > $2`

// ticket finds what a key was used for since a time, inside the transaction that may save it.
func (h *hand) ticket(key string, since time.Time) (*lead.Ticket, error) {
	t := lead.Ticket{Key: key}
	found, err := h.one(ticketQuery, []any{key, micros(since)}, func(r row) { t.Request, t.Answer = r.text(0), []byte(r.text(1)) })
	if err != nil || !found {
		return nil, err
	}
	return &t, nil
}

// Ticket finds what a key was used for since a time, or nil. While a writer is sick, its last commit is in doubt, and so is what
// would be found: it may be on no other disk.
func (s *Store) Ticket(ctx context.Context, key string, since time.Time) (*lead.Ticket, error) {
	if s.saves.sick.Load() > 0 {
		return nil, notNow(errAiling)
	}
	t := lead.Ticket{Key: key}
	e, ctx, done := s.look(ctx)
	defer done()
	err := e.QueryRowContext(ctx, ticketQuery, key, micros(since)).Scan(&t.Request, &t.Answer)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &t, s.reading(e, err)
}

// saveTicket remembers a key. One that has expired but is still there is overwritten.
func (h *hand) saveTicket(t lead.Ticket, at time.Time) error {
	return h.exec(`INSERT INTO idempotency_keys (key_hash, request_hash, answer, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (key_hash) DO UPDATE SET request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at`,
		t.Key, t.Request, t.Answer, micros(at))
}
