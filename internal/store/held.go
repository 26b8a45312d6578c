package store

import (
	"context"
	"slices"
	"time"

	"foyer/internal/lead"
)

// heldBatch is how many leads one commit looks at, so that the intake never waits long behind it.
const heldBatch = 500

// CloseHeld makes a change to every lead that came before a time and is held, and says how many there were. All that is held is
// looked at, beside those who write: a lead that was taken in by a clock ahead of ours hides none behind it.
func (s *Store) CloseHeld(ctx context.Context, before time.Time, change lead.Change) (closed int, err error) {
	x := s.newBoundedJob()
	for last := int64(0); ; {
		held, err := s.queryRecords(ctx, 2, `SELECT seq, created_at FROM leads WHERE status = 'collected' AND seq > $1 ORDER BY seq LIMIT $2`, last, heldBatch)
		if err != nil || len(held) == 0 {
			return closed, err
		}
		last = held[len(held)-1][0].(int64)
		expired := slices.DeleteFunc(held, func(r record) bool { return r[1].(int64) >= micros(before) })
		here, err := x.close(ctx, expired, change)
		closed += here
		if err != nil {
			return closed, err
		}
	}
}

// close makes a change to held leads that are still held.
func (x *boundedJob) close(ctx context.Context, held []record, change lead.Change) (closed int, err error) {
	done := make([]bool, len(held)) // a step may be done twice
	err = x.run(ctx, len(held), func(h *dbTx, i int) (err error) {
		done[i], err = h.closeHeld(held[i][0].(int64), change)
		return err
	})
	for _, d := range done {
		if d {
			closed++
		}
	}
	return closed, err
}

// closeHeld makes a change to a lead that may have gone on its way since it was found, and says whether it did not.
func (h *dbTx) closeHeld(seq int64, change lead.Change) (bool, error) {
	moved, err := h.tryMove(seq, lead.Collected, change)
	if err != nil || !moved {
		return false, err
	}
	return true, h.exec(`DELETE FROM withheld WHERE lead_seq = $1`, seq)
}

// CloseHeldOf makes a change to every held lead of a phone number, and says how many there were.
func (s *Store) CloseHeldOf(ctx context.Context, phone string, change lead.Change) (int, error) {
	held, err := s.heldOfPhone(ctx, phone)
	if err != nil || len(held) == 0 {
		return 0, err
	}
	closed := 0
	err = s.write(ctx, func(h *dbTx) error {
		closed = 0
		for _, seq := range held {
			moved, err := h.closeHeld(seq, change)
			if err != nil {
				return err
			}
			if moved {
				closed++
			}
		}
		return nil
	})
	return closed, err
}

func (s *Store) heldOfPhone(ctx context.Context, phone string) ([]int64, error) {
	e := s.readPool.Load() // it may take long
	held, err := leadsWithPhone(ctx, e.DB, phone, `SELECT seq, contact FROM leads WHERE status = 'collected' AND contact IS NOT NULL`)
	return held, s.readError(e, err)
}
