package store

import (
	"context"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/store/db"
)

// UnderWay returns how many deliveries to a buyer are at a step: offers that wait for an answer, or contacts that are being delivered.
func (tx *Tx) UnderWay(id string, step buyer.Step) (n int, err error) {
	_, err = tx.queryRow(`SELECT count(*) FROM deliveries WHERE buyer_queue = $1 AND step = $2`, []any{id, string(step)}, func(r db.Row) { n = int(r.Int(0)) })
	return n, err
}

// FailedBetween lists the leads in error that were created from one time up to another, in order. It reads all leads in error: an
// operator rarely asks for this, so the intake maintains no index for it.
func (s *Store) FailedBetween(ctx context.Context, from, to time.Time) ([]int64, error) {
	pool := s.readPool.Load() // without a timeout: it may take long
	failed, err := db.Collect(ctx, pool.DB, db.ScanOne[int64], `SELECT seq FROM leads WHERE status = 'error' AND created_at >= $1 AND created_at < $2 ORDER BY seq`,
		micros(from), micros(to))
	return failed, s.readError(pool, err)
}

// Sending returns how many messages to a buyer were leased for sending up to a time and may still be in flight.
func (s *Store) Sending(ctx context.Context, buyer string, until, now time.Time) (n int, err error) {
	pool, ctx, done := s.useReadPool(ctx)
	defer done()
	err = pool.QueryRowContext(ctx, `SELECT count(*) FROM deliveries WHERE buyer_queue = $1 AND owner <> '' AND sent_at > 0 AND sent_at <= $2 AND due_at > $3`,
		buyer, micros(until), micros(now)).Scan(&n)
	return n, s.readError(pool, err)
}

// LeadsUnderWay lists the first leads, up to limit, that are being offered or delivered to a buyer.
func (tx *Tx) LeadsUnderWay(id string, limit int) (leads []string, err error) {
	err = tx.query(`SELECT l.id FROM deliveries d JOIN leads l ON l.seq = d.lead_seq WHERE d.buyer_queue = $1 AND d.step IN ($2, $3) ORDER BY d.lead_seq LIMIT $4`,
		[]any{id, string(buyer.StepOffer), string(buyer.StepDeliver), int64(limit)}, func(r db.Row) error { leads = append(leads, r.Text(0)); return nil })
	return leads, err
}
