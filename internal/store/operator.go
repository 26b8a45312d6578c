package store

import (
	"context"
	"time"

	"foyer/internal/buyer"
)

// Delivering counts the contacts that are on their way to a buyer.
func (p *Tx) Delivering(id string) (n int, err error) {
	_, err = p.db.queryRow(`SELECT count(*) FROM deliveries WHERE lane = $1 AND step = $2`, []any{id, string(buyer.StepDeliver)},
		func(r row) { n = int(r.number(0)) })
	return n, err
}

// Offering counts the offers to a buyer that wait for its answer.
func (p *Tx) Offering(id string) (n int, err error) {
	_, err = p.db.queryRow(`SELECT count(*) FROM deliveries WHERE lane = $1 AND step = $2`, []any{id, string(buyer.StepOffer)},
		func(r row) { n = int(r.number(0)) })
	return n, err
}

// FailedBetween lists the leads in error that were taken in from one time up to another, in their order. It reads through
// all of them: an operator's rare wish, for which the intake keeps no index.
func (s *Store) FailedBetween(ctx context.Context, from, to time.Time) ([]int64, error) {
	e := s.readPool.Load() // it may take long
	failed, err := collect(ctx, e.DB, scanOne[int64], `SELECT seq FROM leads WHERE status = 'error' AND created_at >= $1 AND created_at < $2 ORDER BY seq`,
		micros(from), micros(to))
	return failed, s.readError(e, err)
}

// Sending counts the messages to a buyer that were taken to be sent up to a time, and that may still be under way.
func (s *Store) Sending(ctx context.Context, buyer string, until, now time.Time) (n int, err error) {
	e, ctx, done := s.useReadPool(ctx)
	defer done()
	err = e.QueryRowContext(ctx, `SELECT count(*) FROM deliveries WHERE lane = $1 AND owner <> '' AND sent_at > 0 AND sent_at <= $2 AND due_at > $3`,
		buyer, micros(until), micros(now)).Scan(&n)
	return n, s.readError(e, err)
}
