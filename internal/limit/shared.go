package limit

import (
	"context"
	"net/netip"
	"time"

	"foyer/internal/lead"
)

// Charge is one allowance that is used: a client's, or that of a network it is in.
type Charge struct {
	Key  string
	Rate Rate
}

// Counter counts what a client does for several processes together: n of every charge, or of none. Where it may not be
// done, it says which of them has nothing left, and when it will have.
type Counter func(ctx context.Context, charges []Charge, n int) (granted bool, over int, retry time.Duration, err error)

// Shared is a limiter whose counts several processes share. While they cannot be reached, each process counts for itself.
type Shared struct {
	local   *Limiter
	count Counter
}

// Share lets a limiter count together with others.
func Share(own *Limiter, count Counter) *Shared { return &Shared{own, count} }

// Take uses up n of a client's allowance, like a Limiter's. A client that only asks is told what this process knows:
// the answer counts when something is taken.
func (s *Shared) Take(ctx context.Context, client netip.Addr, b lead.Bucket, n int) (lead.Allowance, error) {
	own, err := s.local.Take(ctx, client, b, n) // even where others count: it has to know when they are gone
	if err != nil || n == 0 || s.local.isExempt(client) {
		return own, err
	}
	bucket, places := s.local.buckets[b], levelKeys(client)
	charges := make([]Charge, len(places))
	for i, p := range places {
		charges[i] = Charge{bucket.name + " " + p.key, bucket.levels[p.level].rate}
	}
	granted, over, retry, err := s.count(ctx, charges, n)
	switch {
	case err != nil:
		return own, nil
	case granted:
		return lead.Allowance{Granted: true, Quota: bucket.quota(clientLevel)}, nil
	}
	bucket.exhaust(ctx, places[over]) // so that the client hears the same when it only asks here
	return bucket.refusal(places[over], retry), nil
}
