package store

import (
	"context"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Withhold keeps a held lead off the market, with a mark as the reason.
func (tx *Tx) Withhold(seq int64, reason lead.Mark, fingerprint string, at time.Time) error {
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

// RepeatsOf lists the leads that are withheld with a fingerprint, oldest first.
func (tx *Tx) RepeatsOf(fingerprint string, limit int) ([]int64, error) {
	return all(tx, db.FirstInt, `SELECT lead_seq FROM withheld WHERE fingerprint = $1 ORDER BY lead_seq LIMIT $2`, fingerprint, int64(limit))
}

// LeaveMarket schedules a check of a lead's repeats, because the lead is no longer on the market.
func (tx *Tx) LeaveMarket(fingerprint string, now time.Time) error {
	return tx.exec(`UPDATE withheld SET check_at = $1 WHERE fingerprint = $2 AND reason = '`+string(lead.Duplicate)+`'`, rows.Micros(now), fingerprint)
}

// RepeatsToCheck lists the repeats whose check is due, newest first.
func (s *Store) RepeatsToCheck(ctx context.Context, now time.Time, limit int) ([]int64, error) {
	return read(ctx, s, func(tx *Tx) ([]int64, error) {
		return all(tx, db.FirstInt, `SELECT lead_seq FROM withheld WHERE check_at > 0 AND check_at <= $1 ORDER BY at DESC, lead_seq DESC LIMIT $2`, rows.Micros(now), int64(limit))
	})
}
