package store

import (
	"context"
	"fmt"

	"foyer/internal/lead"
)

// move gives a lead another status, and a line in its history. A move that statuses do not make is refused.
func (h *handles) move(seq int64, from lead.Status, c lead.Change) error {
	if !from.MayBecome(c.Status, c.Actor) {
		return fmt.Errorf("a lead does not go from %s to %s by the %s", from, c.Status, c.Actor)
	}
	return h.note(seq, c)
}

// note writes a line into a lead's history, and the status it gives.
func (h *handles) note(seq int64, c lead.Change) error {
	if err := h.exec(`UPDATE leads SET status = $1, updated_at = $2 WHERE seq = $3`, string(c.Status), micros(c.At), seq); err != nil {
		return err
	}
	return h.exec(`INSERT INTO history (lead_seq, at, status, actor, reason) VALUES ($1, $2, $3, $4, $5)`,
		seq, micros(c.At), string(c.Status), c.Actor, c.Reason)
}

// Erase forgets who sent a lead. The lead itself stays: it was taken in. One that might still be passed on is closed
// with it, and leaves its way.
func (s *Store) Erase(ctx context.Context, id string, c lead.Change) error {
	return s.write(ctx, func(h *handles) error {
		page := Page{h}
		seq, err := page.SeqOf(id)
		if err != nil {
			return err
		}
		l, err := page.LeadAt(seq)
		if err != nil {
			return err
		}
		if !l.Status.MayBecome(c.Status, c.Actor) {
			c.Status = l.Status
		}
		for _, forget := range []string{`UPDATE leads SET contact = NULL WHERE seq = $1`, `DELETE FROM deliveries WHERE lead_seq = $1`} {
			if err := h.exec(forget, seq); err != nil {
				return err
			}
		}
		if err := h.forgetPrint(seq); err != nil {
			return err
		}
		return h.note(seq, c)
	})
}

// History lists what became of a lead, oldest first.
func (r *Reader) History(ctx context.Context, id string) ([]lead.Change, error) {
	rows, err := r.db.QueryContext(ctx, `SELECT h.at, h.status, h.actor, h.reason FROM history h JOIN leads l ON l.seq = h.lead_seq
		WHERE l.id = $1 ORDER BY h.seq`, id)
	if err != nil {
		return nil, unavailable(err)
	}
	defer rows.Close()
	var list []lead.Change
	for rows.Next() {
		var c lead.Change
		var at int64
		if err := rows.Scan(&at, &c.Status, &c.Actor, &c.Reason); err != nil {
			return nil, err
		}
		c.At = fromMicros(at)
		list = append(list, c)
	}
	return list, unavailable(rows.Err())
}
