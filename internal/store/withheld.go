package store

import (
	"context"
	"time"

	"foyer/internal/lead"
)

// Withhold keeps a held lead off the market, and says for which mark.
func (p *Tx) Withhold(seq int64, reason lead.Mark, print string, at time.Time) error {
	return p.db.exec(`INSERT INTO withheld (lead_seq, reason, print, at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (lead_seq) DO UPDATE SET reason = excluded.reason, look_at = 0`, seq, string(reason), print, micros(at))
}

// Withheld is the mark for which a lead is kept off the market, or "".
func (p *Tx) Withheld(seq int64) (reason lead.Mark, err error) {
	_, err = p.db.queryRow(`SELECT reason FROM withheld WHERE lead_seq = $1`, []any{seq}, func(r row) { reason = lead.Mark(r.text(0)) })
	return reason, err
}

// EndWithhold keeps a lead off the market no longer.
func (p *Tx) EndWithhold(seq int64) error {
	return p.db.exec(`DELETE FROM withheld WHERE lead_seq = $1`, seq)
}

// LeaveMarket has the repeats of a lead looked at again: it is on the market no longer.
func (p *Tx) LeaveMarket(print string, now time.Time) error {
	return p.db.exec(`UPDATE withheld SET look_at = $1 WHERE print = $2 AND reason = '`+string(lead.Duplicate)+`'`, micros(now), print)
}

// RepeatsToCheck lists repeats that are to be looked at, the newest first.
func (s *Store) RepeatsToCheck(ctx context.Context, now time.Time, limit int) ([]int64, error) {
	e, ctx, done := s.useReadPool(ctx)
	defer done()
	list, err := collect(ctx, e.DB, scanOne[int64], `SELECT lead_seq FROM withheld WHERE look_at > 0 AND look_at <= $1 ORDER BY at DESC, lead_seq DESC LIMIT $2`,
		micros(now), limit)
	return list, s.readError(e, err)
}
