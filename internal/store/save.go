package store

import (
	"context"
	"errors"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/commit"
	"foyer/internal/store/db"
	"foyer/internal/store/saves"
)

// SaveLead saves a lead and, if the sender gave an idempotency key, that key with its answer, in one commit. If the key was used
// since the given time, SaveLead saves nothing and returns the earlier answer.
func (s *Store) SaveLead(ctx context.Context, l *lead.Lead, key *lead.Idempotency, since time.Time) (*lead.Idempotency, error) {
	sv := saves.New(l, key, since)
	if err := translateWrite(s.saves.Submit(ctx, work{save: sv}, commit.Timed)); err != nil {
		return nil, err // an earlier answer may come from the same group, of which nothing was committed
	}
	return sv.Earlier, nil
}

// IdempotentAnswer finds the answer for a key that was used since a time, or nil. While a writer is down, it refuses: the outcome
// of that writer's last commit is unknown, so a key that a read finds may be lost again: it may be on no other disk.
func (s *Store) IdempotentAnswer(ctx context.Context, key string, since time.Time) (*lead.Idempotency, error) {
	if s.saves.WritersDown() > 0 {
		return nil, errUnavailable(commit.ErrDown)
	}
	return read(ctx, s, func(tx *Tx) (*lead.Idempotency, error) { return saves.Answer(tx.conn, key, since) })
}

// Suppressed reports whether a phone number is suppressed, by the copy of the list in memory.
func (s *Store) Suppressed(phone string) bool { return s.suppressed.Load().Include(phone) }

// translateWrite turns a refusal into lead.Unavailable.
func translateWrite(err error) error {
	if refused, ok := errors.AsType[*commit.Refused](err); ok {
		return errUnavailable(refused.Cause)
	}
	if errors.Is(err, db.ErrText) { // the intake refuses such texts earlier: this is a bug
		return &lead.Error{Kind: lead.Invalid, Message: "A text holds a NUL or is not valid UTF-8. Leave such characters out."}
	}
	return err
}
