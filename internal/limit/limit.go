// Package limit is the rate limiter: it counts what each client address and each IPv6 network does, and says when that is too
// much. It keeps a bounded number of counts in the memory of this process, so that a flood of addresses cannot fill it. It can
// count together with other processes, and counts by itself while the shared counts are unavailable.
//
// It does not decide what is limited: that is up to the intake.
package limit

import (
	"context"
	"net/netip"
	"slices"
	"time"

	"foyer/internal/lead"
)

// maxEntries is how many addresses and networks each bucket remembers. The least recently seen is evicted first.
const maxEntries = 1 << 16

// Rate is a rate with a burst: Count in a window of Per, and Burst at once.
type Rate struct {
	Count int
	Per   time.Duration
	Burst int
}

// Limiter holds one bucket of each kind, for all client addresses.
type Limiter struct {
	Shared  Counter // of all processes; nil if this one counts for itself
	buckets [3]*bucket
	exempt  []netip.Prefix
}

// How the rates of the other buckets follow from that of the leads.
const (
	attemptsFactor    = 10 // dry runs and refused requests
	unknownIDsDivisor = 6  // lookups of unknown ids: the rate of the leads divided by this
	minUnknownIDs     = 5  // unknown ids, however low the other rates: any client may mistype an id
)

// New returns a limiter for a rate of leads. The exempt networks are never limited.
func New(leads Rate, exempt []netip.Prefix) (*Limiter, error) {
	l := &Limiter{exempt: exempt}
	for b, plan := range [...]struct {
		name string
		rate Rate
	}{
		lead.BucketLeads:      {"leads", leads},
		lead.BucketAttempts:   {"tries", Rate{leads.Count * attemptsFactor, leads.Per, leads.Burst * attemptsFactor}},
		lead.BucketUnknownIDs: {"unknown-ids", Rate{max(minUnknownIDs, leads.Count/unknownIDsDivisor), leads.Per, max(minUnknownIDs, leads.Burst/unknownIDsDivisor)}},
	} {
		bucket, err := newBucket(plan.name, plan.rate)
		if err != nil {
			return nil, err
		}
		l.buckets[b] = bucket
	}
	return l, nil
}

// Take uses n of a client's allowance; an n of 0 only asks, a negative n is a refund. If nothing is left, the result says when to
// retry. A call that only asks gets what this process knows: the shared count matters when something is used.
func (l *Limiter) Take(ctx context.Context, client netip.Addr, b lead.Bucket, n int) (lead.Allowance, error) {
	if l.isExempt(client) {
		return lead.Allowance{Granted: true}, nil
	}
	bucket, keys := l.buckets[b], levelKeys(client)
	local, err := bucket.take(ctx, keys, n) // always counted, for when the shared counts are unavailable
	if err != nil || n == 0 || l.Shared == nil {
		return local, err
	}
	return l.takeShared(ctx, bucket, keys, n, local), nil
}

func (l *Limiter) isExempt(client netip.Addr) bool {
	client = normalize(client)
	return slices.ContainsFunc(l.exempt, func(n netip.Prefix) bool { return n.Contains(client) })
}

// Off grants everything.
type Off struct{}

// Take always grants.
func (Off) Take(context.Context, netip.Addr, lead.Bucket, int) (lead.Allowance, error) {
	return lead.Allowance{Granted: true}, nil
}
