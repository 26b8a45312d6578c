package store

import (
	"context"
	"time"

	"foyer/internal/lead"
)

// heldAtOnce is how many leads one commit looks at, so that the intake never waits long behind it.
const heldAtOnce = 500

// CloseHeld makes a change to every lead that came before a time and is held, and says how many there were.
func (s *Store) CloseHeld(ctx context.Context, before time.Time, change lead.Change) (closed int, err error) {
	for more := true; more && err == nil; {
		var here int
		err = s.write(ctx, func(h *hand) error {
			var err error
			here, err = h.closeHeld(before, change)
			return err
		})
		closed += here
		more = here == heldAtOnce
	}
	return closed, err
}

func (h *hand) closeHeld(before time.Time, change lead.Change) (closed int, err error) {
	expired, err := h.expired(before)
	if err != nil {
		return 0, err
	}
	for _, seq := range expired {
		if err := h.move(seq, lead.Collected, change); err != nil {
			return 0, err
		}
	}
	return len(expired), nil
}

// expired finds the first held leads that came before a time. They stand in their order in an index of their own, so it
// ends at the first that is younger.
func (h *hand) expired(before time.Time) (held []int64, err error) {
	young := false
	err = h.each(`SELECT seq, created_at FROM leads WHERE status = 'collected' ORDER BY seq LIMIT $1`, []any{int64(heldAtOnce)}, func(r row) error {
		if young = young || r.number(1) >= micros(before); !young {
			held = append(held, r.number(0))
		}
		return nil
	})
	return held, err
}

// CloseHeldOf makes a change to every held lead of a phone number, and says how many there were.
func (s *Store) CloseHeldOf(ctx context.Context, phone string, change lead.Change) (int, error) {
	held, err := s.heldOf(ctx, phone)
	if err != nil || len(held) == 0 {
		return 0, err
	}
	closed := 0
	err = s.write(ctx, func(h *hand) error {
		closed = 0
		for _, seq := range held {
			moved, err := h.moved(seq, lead.Collected, change) // it may have gone on its way since it was found
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

func (s *Store) heldOf(ctx context.Context, phone string) ([]int64, error) {
	e := s.eyes.Load() // it may take long
	held, err := holding(ctx, e.DB, phone, `SELECT seq, contact FROM leads WHERE status = 'collected' AND contact IS NOT NULL`)
	return held, s.reading(e, err)
}
