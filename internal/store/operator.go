package store

import (
	"context"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// UnderWay returns how many deliveries to a buyer are at a step: offers that wait for an answer, or contacts that are being delivered.
func (tx *Tx) UnderWay(id string, step buyer.Step) (int, error) {
	n, err := tx.number(`SELECT count(*) FROM deliveries WHERE buyer_queue = $1 AND step = $2`, id, string(step))
	return int(n), err
}

// LeadsUnderWay lists the first leads, up to limit, that are being offered or delivered to a buyer.
func (tx *Tx) LeadsUnderWay(id string, limit int) ([]string, error) {
	return all(tx, db.FirstText, `SELECT l.id FROM deliveries d JOIN leads l ON l.seq = d.lead_seq WHERE d.buyer_queue = $1 AND d.step IN ($2, $3) ORDER BY d.lead_seq LIMIT $4`,
		id, string(buyer.StepOffer), string(buyer.StepDeliver), int64(limit))
}

// Sending returns how many messages to a buyer were leased for sending up to a time and may still be in flight.
func (s *Store) Sending(ctx context.Context, buyer string, until, now time.Time) (int, error) {
	n, err := read(ctx, s, func(tx *Tx) (int64, error) {
		return tx.number(`SELECT count(*) FROM deliveries WHERE buyer_queue = $1 AND owner <> '' AND sent_at > 0 AND sent_at <= $2 AND due_at > $3`,
			buyer, rows.Micros(until), rows.Micros(now))
	})
	return int(n), err
}

// FailedBetween lists the leads in error that were created from one time up to another, in order. It reads all leads in error: an
// operator rarely asks for this, so the intake maintains no index for it.
func (tx *Tx) FailedBetween(from, to time.Time) ([]int64, error) {
	return all(tx, db.FirstInt, `SELECT seq FROM leads WHERE status = 'error' AND created_at >= $1 AND created_at < $2 ORDER BY seq`, rows.Micros(from), rows.Micros(to))
}
