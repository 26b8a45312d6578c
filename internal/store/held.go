package store

import (
	"context"
	"slices"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/commit"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// heldBatch is how many held leads one query of CloseHeld reads.
const heldBatch = 500

// CloseHeld makes a change to every held lead that was created before a time, with an audit entry for each transaction, and
// returns how many leads there were. It reads all held leads, without the writer, and does not stop at the first that is too new: a process with a fast clock may have created that.
func (j *Job) CloseHeld(ctx context.Context, before time.Time, change lead.Change) (closed int, err error) {
	steps := j.steps()
	for last := int64(0); ; {
		held, err := j.store.rows(ctx, `SELECT seq, created_at FROM leads WHERE status = 'collected' AND seq > $1 ORDER BY seq LIMIT $2`, last, heldBatch)
		if err != nil || len(held) == 0 {
			return closed, err
		}
		last = held[len(held)-1].Int(0)
		expired := slices.DeleteFunc(held, func(r db.Row) bool { return r.Int(1) >= rows.Micros(before) })
		n, err := closeHeld(ctx, steps, expired, change)
		closed += n
		if err != nil {
			return closed, err
		}
	}
}

// closeHeld makes a change to those of the leads that are still held, and returns how many there were.
func closeHeld(ctx context.Context, steps *commit.Steps[*Tx], held []db.Row, change lead.Change) (closed int, err error) {
	done := make([]bool, len(held)) // not a counter: a step may run twice
	err = steps.Run(ctx, len(held), func(tx *Tx, i int) (err error) {
		done[i], err = tx.TryChange(held[i].Int(0), lead.Collected, change)
		return err
	}, func(tx *Tx, first, last int) error {
		n := countTrue(done[first:last])
		if n == 0 {
			return nil
		}
		return tx.AddAudit(audit.Entry{At: change.At, Actor: audit.System, Action: audit.LeadExpire, Detail: audit.Detail{"leads": n}})
	})
	return countTrue(done), err
}

func countTrue(list []bool) (n int) {
	for _, is := range list {
		if is {
			n++
		}
	}
	return n
}

// HeldAfter lists held leads with a number above seq, in order, without those that are withheld from the market.
func (s *Store) HeldAfter(ctx context.Context, seq int64, limit int) ([]buyer.Held, error) {
	return s.held(ctx, "created_at", seq, limit)
}

// HeldPlaces is HeldAfter without the times, for which it would have to read the leads: the rest is in their index.
func (s *Store) HeldPlaces(ctx context.Context, seq int64, limit int) ([]buyer.Held, error) {
	return s.held(ctx, "0", seq, limit)
}

func (s *Store) held(ctx context.Context, at string, seq int64, limit int) ([]buyer.Held, error) {
	return read(ctx, s, func(tx *Tx) ([]buyer.Held, error) {
		return all(tx, rows.Held, `SELECT seq, service_type, zip_code, `+at+` FROM leads WHERE status = 'collected' AND seq > $1
			AND (SELECT w.lead_seq FROM withheld w WHERE w.lead_seq = seq) IS NULL ORDER BY seq LIMIT CAST($2 AS BIGINT)`, seq, int64(limit)) // CAST: see limitClause in store/queue
	})
}

// Withhold keeps a held lead off the market, with a mark as the reason.
func (tx *Tx) Withhold(seq int64, reason lead.Mark, fingerprint string, at time.Time) error {
	if err := tx.locks.CheckPerson(fingerprint); err != nil {
		return err
	}
	return tx.exec(`INSERT INTO withheld (lead_seq, reason, fingerprint, at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (lead_seq) DO UPDATE SET reason = excluded.reason, check_at = 0`, seq, string(reason), fingerprint, rows.Micros(at))
}

// Withheld returns the mark for which a lead is withheld from the market, or "".
func (tx *Tx) Withheld(seq int64) (lead.Mark, error) {
	reason, _, err := one(tx, db.FirstText, `SELECT reason FROM withheld WHERE lead_seq = $1`, seq)
	return lead.Mark(reason), err
}

// EndWithhold ends the withholding of a lead.
func (tx *Tx) EndWithhold(seq int64) error {
	return tx.exec(`DELETE FROM withheld WHERE lead_seq = $1`, seq)
}

// CloseRepeats makes a change to the leads that are withheld with a fingerprint, oldest first. It returns how many there were, and whether
// there may be more.
func (tx *Tx) CloseRepeats(fingerprint string, limit int, change lead.Change) (closed int, more bool, err error) {
	repeats, err := all(tx, db.FirstInt, `SELECT lead_seq FROM withheld WHERE fingerprint = $1 ORDER BY lead_seq LIMIT $2`, fingerprint, int64(limit))
	if err != nil {
		return 0, false, err
	}
	for _, seq := range repeats {
		changed, err := tx.TryChange(seq, lead.Collected, change)
		if err != nil {
			return closed, false, err
		}
		if changed {
			closed++
			continue
		}
		if err := tx.EndWithhold(seq); err != nil { // a process of an older version changed the lead and left this row
			return closed, false, err
		}
	}
	return closed, len(repeats) == limit, nil
}

// LeaveMarket schedules a check of a lead's repeats, because the lead is no longer on the market.
func (tx *Tx) LeaveMarket(fingerprint string, now time.Time) error {
	if err := tx.locks.CheckPerson(fingerprint); err != nil {
		return err
	}
	return tx.exec(`UPDATE withheld SET check_at = $1 WHERE fingerprint = $2 AND reason = '`+string(lead.Duplicate)+`'`, rows.Micros(now), fingerprint)
}

// RepeatsToCheck lists the repeats whose check is due, newest first.
func (s *Store) RepeatsToCheck(ctx context.Context, now time.Time, limit int) ([]int64, error) {
	return read(ctx, s, func(tx *Tx) ([]int64, error) {
		return all(tx, db.FirstInt, `SELECT lead_seq FROM withheld WHERE check_at > 0 AND check_at <= $1 ORDER BY at DESC, lead_seq DESC LIMIT CAST($2 AS BIGINT)`, rows.Micros(now), int64(limit))
	})
}
