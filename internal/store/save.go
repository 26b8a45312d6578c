package store

import (
	"cmp"
	"context"
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

// commitSaves is commitTogether for the writers that only save leads, which PostgreSQL has: a single statement, without BEGIN and COMMIT,
// if no lead has an idempotency key.
func (t *target) commitSaves(group []*request) (newest string, err error) {
	unkeyed, keyed := make([]*saves.Save, 0, len(group)), []*saves.Save(nil)
	for _, req := range group {
		s := req.Work.save
		if req.Err = cmp.Or(req.Ctx.Err(), s.CheckText()); req.Err != nil {
			continue
		}
		if s.Earlier = nil; s.HasKey() {
			keyed = append(keyed, s)
		} else {
			unkeyed = append(unkeyed, s)
		}
	}
	t.tx.conn.SetDeadline(time.Now().Add(db.SaveTimeout)) // for all steps: a key takes three round trips, and each could be slow
	defer t.tx.conn.SetDeadline(time.Time{})
	if len(keyed) == 0 {
		return saves.Insert(t.tx.conn, unkeyed)
	}
	return saves.InsertKeyed(t.tx.conn, unkeyed, keyed)
}
