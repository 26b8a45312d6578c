package store

import (
	"context"
	"database/sql"
	"errors"

	"foyer/internal/lead"
)

// change gives a lead a new status, and a line in its history.
func (h *handles) change(seq int64, c lead.Change) error {
	if err := h.exec(`UPDATE leads SET status = $1, updated_at = $2 WHERE seq = $3`, string(c.Status), micros(c.At), seq); err != nil {
		return err
	}
	return h.exec(`INSERT INTO history (lead_seq, at, status, actor, reason) VALUES ($1, $2, $3, $4, $5)`,
		seq, micros(c.At), string(c.Status), c.Actor, c.Reason)
}

// Erase forgets who sent a lead, and makes a change to it. The lead itself stays: it was taken in.
func (s *Store) Erase(ctx context.Context, id string, c lead.Change) error {
	return s.write(ctx, func(h *handles) error {
		var seq int64
		err := h.queryRow(`SELECT seq FROM leads WHERE id = $1`, []any{id}, &seq)
		if errors.Is(err, sql.ErrNoRows) {
			return noLead()
		}
		if err != nil {
			return err
		}
		if err := h.exec(`UPDATE leads SET contact = NULL WHERE seq = $1`, seq); err != nil {
			return err
		}
		return h.change(seq, c)
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
