package store

import (
	"context"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/lead"
)

// heldAtOnce is how many leads one commit looks at, so that the intake never waits long behind it.
const heldAtOnce = 500

// CloseHeld makes a change to every lead that has been held since before a time, and says how many there were. Leads are
// looked at once, in their order: how far it came is kept.
func (s *Store) CloseHeld(ctx context.Context, before time.Time, change lead.Change) (closed int, err error) {
	for more := true; more && err == nil; {
		var here int
		err = s.write(ctx, func(h *handles) error {
			var err error
			here, more, err = h.closeHeld(before, change)
			return err
		})
		closed += here
	}
	return closed, err
}

func (h *handles) closeHeld(before time.Time, change lead.Change) (closed int, more bool, err error) {
	var at int64
	if err := h.queryRow(`SELECT lead_seq FROM progress WHERE work = 'holding'`, nil, &at); err != nil {
		return 0, false, err
	}
	expired, until, err := h.expired(at, before)
	if err != nil || until == at {
		return 0, false, err
	}
	for _, seq := range expired {
		if err := h.move(seq, lead.Collected, change); err != nil {
			return 0, false, err
		}
	}
	return len(expired), true, h.exec(`UPDATE progress SET lead_seq = $1 WHERE work = 'holding'`, until)
}

// expired finds the held leads behind a row that are older than a time, and the row up to which there can be none.
func (h *handles) expired(after int64, before time.Time) (held []int64, until int64, err error) {
	rows, err := h.write.QueryContext(context.Background(),
		`SELECT seq, status, created_at FROM leads WHERE seq > $1 ORDER BY seq LIMIT $2`, after, heldAtOnce)
	if err != nil {
		return nil, after, err
	}
	defer rows.Close()
	until = after
	for rows.Next() {
		var seq, created int64
		var status lead.Status
		if err := rows.Scan(&seq, &status, &created); err != nil {
			return nil, after, err
		}
		if created >= micros(before) {
			break
		}
		if until = seq; status == lead.Collected {
			held = append(held, seq)
		}
	}
	return held, until, rows.Err()
}

// CloseHeldOf makes a change to every held lead of a phone number, and says how many there were.
func (s *Store) CloseHeldOf(ctx context.Context, phone string, change lead.Change) (int, error) {
	held, err := s.heldOf(ctx, phone)
	if err != nil || len(held) == 0 {
		return 0, err
	}
	err = s.write(ctx, func(h *handles) error {
		for _, seq := range held {
			if err := h.move(seq, lead.Collected, change); err != nil {
				return err
			}
		}
		return nil
	})
	return len(held), err
}

// heldOf reads through what is held. It is an operator's rare wish, so the phone number has no index in the intake's way.
func (s *Store) heldOf(ctx context.Context, phone string) ([]int64, error) {
	h := s.open.Load()
	rows, err := h.read.QueryContext(ctx, `SELECT seq, contact FROM leads
		WHERE seq > (SELECT lead_seq FROM progress WHERE work = 'holding') AND status = $1 AND contact IS NOT NULL`, string(lead.Collected))
	if err != nil {
		return nil, s.reading(h, err)
	}
	defer rows.Close()
	var held []int64
	for rows.Next() {
		var seq int64
		var sealed []byte
		var contact lead.Contact
		if err := rows.Scan(&seq, &sealed); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(sealed, &contact); err != nil {
			return nil, err
		}
		if contact.Phone == phone {
			held = append(held, seq)
		}
	}
	return held, s.reading(h, rows.Err())
}
