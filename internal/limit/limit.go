// Package limit counts what each client address does and says when it is too much. A Limiter keeps its counts in the memory
// of this process, in a bounded number, so that a flood of addresses cannot fill it. A Shared one counts together with other
// processes, and by itself while they cannot be reached.
//
// It does not decide what is limited: that is the intake's business.
package limit

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/throttled/throttled/v2"
	"github.com/throttled/throttled/v2/store/memstore"

	"foyer/internal/lead"
)

// addresses is how many addresses are remembered for each bucket, the least recently seen forgotten first.
const addresses = 1 << 16

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

// bucket lets one caller count at a time. The library alone would give up where many requests of one address come at the
// same moment, and would then count what only asked.
type bucket struct {
	quota lead.Quota
	rate  Rate
	mu    sync.Mutex
	gcra  *throttled.GCRARateLimiterCtx
}

func (b *bucket) count(ctx context.Context, key string, n int) (bool, throttled.RateLimitResult, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.gcra.RateLimitCtx(ctx, key, n)
}

// How the other buckets follow from the one for leads.
const (
	triesFactor   = 10 // dry runs and refused requests
	wrongIDsShare = 6  // look-ups of unknown ids
	fewest        = 5  // of those, however small the rest: anybody may mistype an id
)

// New makes a limiter for a pace of leads. The exempt networks are never limited.
func New(leads Rate, exempt []netip.Prefix) (*Limiter, error) {
	l := &Limiter{exempt: exempt}
	for b, plan := range [...]struct {
		name string
		rate Rate
	}{
		lead.KeptLeads: {"leads", leads},
		lead.Tries:     {"tries", Rate{leads.Count * triesFactor, leads.Per, leads.Burst * triesFactor}},
		lead.WrongIDs:  {"unknown-ids", Rate{max(fewest, leads.Count/wrongIDsShare), leads.Per, max(fewest, leads.Burst/wrongIDsShare)}},
	} {
		made, err := newBucket(plan.name, plan.rate)
		if err != nil {
			return nil, err
		}
		l.buckets[b] = made
	}
	return l, nil
}

func newBucket(name string, r Rate) (*bucket, error) {
	store, err := memstore.NewCtx(addresses)
	if err != nil {
		return nil, err
	}
	gcra, err := throttled.NewGCRARateLimiterCtx(store, throttled.RateQuota{
		MaxRate: throttled.PerDuration(r.Count, r.Per), MaxBurst: r.Burst - 1,
	})
	if err != nil {
		return nil, fmt.Errorf("limit: %w", err)
	}
	return &bucket{quota: lead.Quota{Name: name, Limit: r.Count, Window: r.Per}, rate: r, gcra: gcra}, nil
}

// key is the address that is counted: one household or server has a whole /64 of IPv6.
func key(client netip.Addr) string {
	client = client.Unmap()
	if client.Is6() {
		if net, err := client.WithZone("").Prefix(64); err == nil {
			return net.String()
		}
	}
	return client.String()
}

// Take uses up n of a client's allowance; an n of 0 only asks, a negative one gives back. Where nothing is left it says when to come back.
func (l *Limiter) Take(ctx context.Context, client netip.Addr, b lead.Bucket, n int) (lead.Allowance, error) {
	bucket := l.buckets[b]
	if l.isExempt(client) {
		return lead.Allowance{Granted: true}, nil
	}
	limited, result, err := bucket.count(ctx, key(client), n)
	if err != nil {
		return lead.Allowance{}, err
	}
	if n == 0 { // asking is never limited, but told how long one would have to wait
		limited = result.RetryAfter > 0
	}
	return lead.Allowance{Granted: !limited, Retry: max(0, result.RetryAfter), Quota: bucket.quota}, nil
}

func (l *Limiter) isExempt(client netip.Addr) bool {
	client = client.Unmap().WithZone("") // networks have no zones
	return slices.ContainsFunc(l.exempt, func(n netip.Prefix) bool { return n.Contains(client) })
}

// Off grants everything.
type Off struct{}

// Take grants.
func (Off) Take(context.Context, netip.Addr, lead.Bucket, int) (lead.Allowance, error) {
	return lead.Allowance{Granted: true}, nil
}
