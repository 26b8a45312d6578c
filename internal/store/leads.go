package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/commit"
	"foyer/internal/store/rows"
)

// SaveLead saves a lead and, if the sender gave an idempotency key, that key with its answer, in one commit. If the key was used
// since the given time, SaveLead saves nothing and returns the earlier answer.
func (s *Store) SaveLead(ctx context.Context, l *lead.Lead, key *lead.Idempotency, since time.Time) (*lead.Idempotency, error) {
	sv := &save{id: l.ID, at: l.CreatedAt, args: rows.LeadArgs(l), idempotency: key, since: since}
	if err := translateWrite(s.saves.Submit(ctx, work{save: sv}, commit.Timed)); err != nil {
		return nil, err // an earlier answer may come from the same group, of which nothing was committed
	}
	return sv.earlier, nil
}

// save is a lead to be saved.
type save struct {
	id          string
	at          time.Time
	args        []any // one for each of rows.LeadColumns
	idempotency *lead.Idempotency
	since       time.Time
	earlier     *lead.Idempotency // the earlier answer for the key; if set, the lead is not saved
}

// replay reports whether a lead is to be saved, and if so stores its idempotency key. If the key was used before, it sets earlier.
func (s *save) replay(tx *Tx) (isNew bool, err error) {
	s.earlier = nil
	if s.idempotency == nil {
		return true, nil
	}
	if s.earlier, err = tx.idempotency(s.idempotency.Key, s.since); err != nil || s.earlier != nil {
		return false, err
	}
	return true, tx.insertIdempotency(*s.idempotency, s.at)
}

const summaryQuery = `SELECT status, created_at, updated_at, service_type, zip_code, marks,
	COALESCE((SELECT MIN(at) FROM privacy_requests WHERE lead_id = $1 AND lead_id <> ''), 0) FROM leads WHERE id = $1`

// LeadSummary reads what a status lookup shows of a lead: its status, times, service and ZIP code, and since when a privacy
// request forbids showing more. It does not read who sent the lead.
func (s *Store) LeadSummary(_ context.Context, id string) (lead.Lead, error) {
	var created, updated, private int64
	var marks string
	l := lead.Lead{ID: id}
	// Without the caller's context: SQLite's driver would start a goroutine to watch it, which costs more than the query.
	ctx, done := s.engine.ReadContext(context.Background())
	defer done()
	pool := s.readPool.Load()
	err := pool.summary.QueryRowContext(ctx, id).Scan(&l.Status, &created, &updated, &l.Request.Service, &l.Request.ZIP, &marks, &private)
	if errors.Is(err, sql.ErrNoRows) {
		return l, noLead()
	}
	l.CreatedAt, l.UpdatedAt, l.PrivacyAt, l.Marks = rows.Time(created), rows.Time(updated), rows.TimeOrZero(private), rows.SplitMarks(marks)
	return l, s.readError(pool, err)
}

func noLead() *lead.Error {
	return &lead.Error{Kind: lead.NotFound, Message: "There is no lead with this id."}
}
