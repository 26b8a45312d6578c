package limit

import (
	"context"
	"net/netip"
	"time"

	"foyer/internal/lead"
)

// Charge is one allowance to use: that of a client, or of a network that contains it.
type Charge struct {
	Key  string
	Rate Rate
}

// Counter counts for several processes together: n of every charge, or of none. If it refuses, over is the index of the charge
// with nothing left, and retry is when that changes.
type Counter func(ctx context.Context, charges []Charge, n int) (granted bool, over int, retry time.Duration, err error)

// Shared is a limiter whose counts several processes share. While these are unavailable, each process counts for itself.
type Shared struct {
	local *Limiter
	count Counter
}

// Share makes a limiter count together with other processes.
func Share(local *Limiter, count Counter) *Shared { return &Shared{local, count} }

// Take uses n of a client's allowance, as Limiter.Take does. A call that only asks gets what this process knows: the shared
// count matters when something is used.
func (s *Shared) Take(ctx context.Context, client netip.Addr, b lead.Bucket, n int) (lead.Allowance, error) {
	local, err := s.local.Take(ctx, client, b, n) // always counted, for when the shared counts are unavailable
	if err != nil || n == 0 || s.local.isExempt(client) {
		return local, err
	}
	bucket, keys := s.local.buckets[b], levelKeys(client)
	charges := make([]Charge, len(keys))
	for i, k := range keys {
		charges[i] = Charge{bucket.name + " " + k.key, bucket.levels[k.level].rate}
	}
	granted, over, retry, err := s.count(ctx, charges, n)
	switch {
	case err != nil:
		return local, nil
	case granted:
		return lead.Allowance{Granted: true, Quota: bucket.quota(clientLevel)}, nil
	}
	bucket.exhaust(ctx, keys[over]) // so that a call that only asks is refused here, too
	return bucket.refusal(keys[over], retry), nil
}
