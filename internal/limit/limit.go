// Package limit counts what each client address and each network of IPv6 does, and says when it is too much. A Limiter keeps
// its counts in the memory of this process, in a bounded number, so that a flood of addresses cannot fill it. A Shared one
// counts together with other processes, and by itself while they cannot be reached.
//
// It does not decide what is limited: that is the intake's business.
package limit

import (
	"context"
	"net/netip"
	"slices"
	"time"

	"foyer/internal/lead"
)

// maxEntries is how many addresses and networks are remembered for each bucket, the least recently seen forgotten first.
const maxEntries = 1 << 16

// Rate is a pace with a burst: so many in a window, and so many at once.
type Rate struct {
	Count int
	Per   time.Duration
	Burst int
}

// Limiter holds a bucket of each kind for every client address.
type Limiter struct {
	buckets [3]*bucket
	exempt  []netip.Prefix
}

// How the other buckets follow from the one for leads.
const (
	attemptsFactor   = 10 // dry runs and refused requests
	unknownIDsDivisor = 6  // look-ups of unknown ids
	minUnknownIDs        = 5  // of those, however small the rest: anybody may mistype an id
)

// New makes a limiter for a pace of leads. The exempt networks are never limited.
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
		made, err := newBucket(plan.name, plan.rate)
		if err != nil {
			return nil, err
		}
		l.buckets[b] = made
	}
	return l, nil
}

// Take uses up n of a client's allowance; an n of 0 only asks, a negative one gives back. Where nothing is left it says when to come back.
func (l *Limiter) Take(ctx context.Context, client netip.Addr, b lead.Bucket, n int) (lead.Allowance, error) {
	if l.isExempt(client) {
		return lead.Allowance{Granted: true}, nil
	}
	return l.buckets[b].take(ctx, levelKeys(client), n)
}

func (l *Limiter) isExempt(client netip.Addr) bool {
	client = normalize(client)
	return slices.ContainsFunc(l.exempt, func(n netip.Prefix) bool { return n.Contains(client) })
}

// Off grants everything.
type Off struct{}

// Take grants.
func (Off) Take(context.Context, netip.Addr, lead.Bucket, int) (lead.Allowance, error) {
	return lead.Allowance{Granted: true}, nil
}
