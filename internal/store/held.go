package store

import (
	"context"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/store/db"
)

// heldBatch is how many held leads one query or commit handles, so that no new lead waits long for it.
const heldBatch = 500

// CloseHeld makes a change to every held lead that was created before a time, with an audit entry for each transaction, and
// returns how many leads there were. It reads all held leads, without the writer, and does not stop at the first that is too new: a process with a fast clock may have created that.
func (s *Store) CloseHeld(ctx context.Context, before time.Time, change lead.Change) (closed int, err error) {
	j := s.newBoundedJob()
	for last := int64(0); ; {
		held, err := s.queryRecords(ctx, 2, `SELECT seq, created_at FROM leads WHERE status = 'collected' AND seq > $1 ORDER BY seq LIMIT $2`, last, heldBatch)
		if err != nil || len(held) == 0 {
			return closed, err
		}
		last = held[len(held)-1][0].(int64)
		expired := slices.DeleteFunc(held, func(r []any) bool { return r[1].(int64) >= micros(before) })
		n, err := j.close(ctx, expired, change)
		closed += n
		if err != nil {
			return closed, err
		}
	}
}

// close makes a change to those of the leads that are still held, and returns how many there were.
func (j *boundedJob) close(ctx context.Context, held [][]any, change lead.Change) (closed int, err error) {
	done := make([]bool, len(held)) // not a counter: a step may run twice
	j.afterStep = func(tx *Tx, first, last int) error {
		n := countTrue(done[first:last])
		if n == 0 {
			return nil
		}
		return tx.AddAudit(audit.Entry{At: change.At, Actor: audit.System, Action: audit.LeadExpire, Detail: audit.Detail{"leads": n}})
	}
	err = j.run(ctx, len(held), func(tx *Tx, i int) (err error) {
		done[i], err = tx.TryChange(held[i][0].(int64), lead.Collected, change)
		return err
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

// HeldOfPhone lists the held leads of a phone number.
func (s *Store) HeldOfPhone(ctx context.Context, phone string) ([]int64, error) {
	pool := s.readPool.Load() // without a timeout: it may take long
	held, err := leadsWithPhone(ctx, pool.DB, phone, `SELECT seq, contact FROM leads WHERE status = 'collected' AND contact IS NOT NULL`)
	return held, s.readError(pool, err)
}

// HeldSuppressed lists the held leads whose phone number is suppressed. It reads the held leads once, however many numbers there
// are.
func (s *Store) HeldSuppressed(ctx context.Context) (held []int64, err error) {
	pool := s.readPool.Load() // without a timeout: it may take long
	err = db.Each(ctx, pool.DB, func(r db.Scanner) error {
		var seq int64
		var text []byte
		if err := r.Scan(&seq, &text); err != nil {
			return err
		}
		var contact lead.Contact
		if err := json.Unmarshal(text, &contact); err != nil {
			return err
		}
		if s.Suppressed(contact.Phone) {
			held = append(held, seq)
		}
		return nil
	}, `SELECT seq, contact FROM leads WHERE status = 'collected' AND contact IS NOT NULL`)
	return held, s.readError(pool, err)
}
