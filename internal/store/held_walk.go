package store

import (
	"context"
	"time"

	"foyer/internal/buyer"
)

// heldPage is how many held leads one question reads, so that a walk through millions needs little memory.
const heldPage = 2000

// EachHeld shows every held lead that may be offered to somebody, in their order, and when it was taken in. Those that are
// kept off the market are left out.
func (s *Store) EachHeld(ctx context.Context, do func(h buyer.Held, at time.Time)) error {
	for after, more := int64(0), true; more; {
		seen, last, err := s.eachHeldPage(ctx, after, do)
		if err != nil {
			return err
		}
		after, more = last, seen == heldPage
	}
	return nil
}

func (s *Store) eachHeldPage(ctx context.Context, after int64, do func(buyer.Held, time.Time)) (seen int, last int64, err error) {
	e, ctx, done := s.useReadPool(ctx)
	defer done()
	err = each(ctx, e.DB, func(r scanner) error {
		var h buyer.Held
		var at, withheld int64
		if err := r.Scan(&h.Lead, &h.Service, &h.ZIP, &at, &withheld); err != nil {
			return err
		}
		if seen, last = seen+1, h.Lead; withheld == 0 {
			do(h, fromMicros(at))
		}
		return nil
	}, `SELECT seq, service_type, zip_code, created_at, CASE WHEN EXISTS (SELECT 1 FROM withheld w WHERE w.lead_seq = leads.seq) THEN 1 ELSE 0 END
		FROM leads WHERE status = 'collected' AND seq > $1 ORDER BY seq LIMIT $2`, after, heldPage)
	return seen, last, s.readError(e, err)
}
