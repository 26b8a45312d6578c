package limit

import (
	"context"
	"net/netip"
	"time"

	"foyer/internal/lead"
)

// Counter counts what a client does for several processes together. It says whether it may be done, or else when.
type Counter func(ctx context.Context, key string, n int, r Rate) (granted bool, retry time.Duration, err error)

// Shared is a limiter whose counts several processes share. While they cannot be reached, each process counts for itself.
type Shared struct {
	own   *Limiter
	count Counter
}

// Share lets a limiter count together with others.
func Share(own *Limiter, count Counter) *Shared { return &Shared{own, count} }

// Take uses up n of a client's allowance, like a Limiter's. A client that only asks is told what this process knows:
// the answer counts when something is taken.
func (s *Shared) Take(ctx context.Context, client netip.Addr, b lead.Bucket, n int) (lead.Allowance, error) {
	own, err := s.own.Take(ctx, client, b, n) // even where others count: it has to know when they are gone
	if err != nil || n == 0 || s.own.isExempt(client) {
		return own, err
	}
	bucket := s.own.buckets[b]
	granted, retry, err := s.count(ctx, bucket.quota.Name+" "+key(client), n, bucket.rate)
	if err != nil {
		return own, nil
	}
	if !granted {
		s.spend(ctx, client, b)
	}
	return lead.Allowance{Granted: granted, Retry: retry, Quota: bucket.quota}, nil
}

// spend uses up what this process still has for a client that has nothing left among all of them, so that it hears the
// same when it asks here.
func (s *Shared) spend(ctx context.Context, client netip.Addr, b lead.Bucket) {
	for range s.own.buckets[b].rate.Burst {
		if left, err := s.own.Take(ctx, client, b, 1); err != nil || !left.Granted {
			return
		}
	}
}
