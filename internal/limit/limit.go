// Package limit is the rate limiter, a token bucket (throttled's GCRA) for each client address and each IPv6 network: it counts what they do, and says when
// that is too much. It keeps a bounded number of counts in the memory of this process, so that a flood of addresses cannot fill it. It can
// count together with other processes, and counts by itself while the shared counts are unavailable. Shares says how much of what this
// process has a client holds.
//
// It does not decide what is limited: its callers do, the intake and the doors of operators.
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
	client = normalize(client)
	if slices.ContainsFunc(l.exempt, func(n netip.Prefix) bool { return n.Contains(client) }) {
		return lead.Allowance{Granted: true}, nil
	}
	bucket, keys := l.buckets[b], levelKeys(client)
	local, err := bucket.take(ctx, keys, n) // always counted, for when the shared counts are unavailable
	if err != nil || n == 0 || l.Shared == nil {
		return local, err
	}
	return l.takeShared(ctx, bucket, keys, n, local), nil
}

// Off grants everything.
type Off struct{}

// Take always grants.
func (Off) Take(context.Context, netip.Addr, lead.Bucket, int) (lead.Allowance, error) {
	return lead.Allowance{Granted: true}, nil
}

// Counter counts for several processes together: n of every charge, or of none. If it refuses, over is the index of the charge
// with nothing left, and retry is when that changes. It has its own clock: those of the processes may differ.
type Counter func(ctx context.Context, charges []lead.Charge, n int) (granted bool, over int, retry time.Duration, err error)

// takeShared asks the shared counts. While they are unavailable, what this process counted decides.
func (l *Limiter) takeShared(ctx context.Context, b *bucket, keys []levelKey, n int, local lead.Allowance) lead.Allowance {
	charges := make([]lead.Charge, len(keys))
	for i, k := range keys {
		r := b.levels[k.level].rate
		charges[i] = lead.Charge{Key: b.name + " " + k.key, Step: r.Per / time.Duration(r.Count), Burst: r.Burst}
	}
	granted, over, retry, err := l.Shared(ctx, charges, n)
	switch {
	case err != nil:
		return local
	case granted:
		return lead.Allowance{Granted: true, Quota: b.quota(clientLevel)}
	}
	b.exhaust(ctx, keys[over]) // so that a call that only asks is refused here, too
	return b.refusal(keys[over], retry)
}

// bucket counts one kind of use, at every level, in one bounded memory. It serializes its callers: the library alone would give
// up on many concurrent requests of one address, and would then count calls that only ask.
type bucket struct {
	name   string
	mu     sync.Mutex
	levels [len(levels)]levelLimit
}

// levelLimit is the allowance of a network of one level.
type levelLimit struct {
	rate Rate
	gcra *throttled.GCRARateLimiterCtx
}

func newBucket(name string, r Rate) (*bucket, error) {
	memory, err := memstore.NewCtx(maxEntries)
	if err != nil {
		return nil, err
	}
	b := &bucket{name: name}
	for i, l := range levels {
		rate := Rate{r.Count * l.factor, r.Per, r.Burst * l.factor}
		gcra, err := throttled.NewGCRARateLimiterCtx(memory, throttled.RateQuota{
			MaxRate: throttled.PerDuration(rate.Count, rate.Per), MaxBurst: rate.Burst - 1,
		})
		if err != nil {
			return nil, fmt.Errorf("limit: %w", err)
		}
		b.levels[i] = levelLimit{rate, gcra}
	}
	return b, nil
}

// take uses n of the allowance of every key, or of none. The widest network comes first and a refusal stops the loop, so that a
// network over its limit cannot evict others from memory by using ever new addresses.
func (b *bucket) take(ctx context.Context, keys []levelKey, n int) (lead.Allowance, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, k := range keys {
		limited, result, err := b.levels[k.level].gcra.RateLimitCtx(ctx, k.key, n)
		if n == 0 { // the library never limits a call that only asks, but says how long to wait
			limited = result.RetryAfter > 0
		}
		if err == nil && !limited {
			continue
		}
		for _, wider := range keys[:i] {
			_, _, _ = b.levels[wider.level].gcra.RateLimitCtx(ctx, wider.key, -n)
		}
		return b.refusal(k, max(0, result.RetryAfter)), err
	}
	return lead.Allowance{Granted: true, Quota: b.quota(clientLevel)}, nil
}

// exhaust uses up what is left of the allowance of a key.
func (b *bucket) exhaust(ctx context.Context, k levelKey) {
	b.mu.Lock()
	defer b.mu.Unlock()
	gcra := b.levels[k.level].gcra
	if _, result, err := gcra.RateLimitCtx(ctx, k.key, 0); err == nil && result.Remaining > 0 {
		_, _, _ = gcra.RateLimitCtx(ctx, k.key, result.Remaining)
	}
}

// refusal returns the allowance of a key that has nothing left.
func (b *bucket) refusal(k levelKey, retry time.Duration) lead.Allowance {
	return lead.Allowance{Retry: retry, Quota: b.quota(k.level)}
}

func (b *bucket) quota(level int) lead.Quota {
	r := b.levels[level].rate
	return lead.Quota{Name: b.name, Limit: r.Count, Window: r.Per}
}

// level is one size of network that is counted, and how many times the allowance of one client it has.
type level struct{ bits, factor int }

// levels are the sizes of network that IPv6 clients are counted by, the widest first. A household or a server has a whole /64 to
// choose addresses from, and the owner of a /56 or a /48 has hundreds or thousands of those. The wider networks have a larger
// allowance, because several households may share one.
var levels = [...]level{{48, 16}, {56, 4}, {64, 1}}

// clientLevel is the level of one client: the /64 of an IPv6 address, or an IPv4 address.
const clientLevel = len(levels) - 1

// Of returns the client that an address belongs to: an IPv4 address counts by itself, an IPv6 address by its /64.
func Of(client netip.Addr) netip.Prefix {
	client = normalize(client)
	bits := client.BitLen()
	if client.Is6() {
		bits = levels[clientLevel].bits
	}
	network, _ := client.Prefix(bits) // fails only for the zero address, which then counts as one client
	return network
}

// levelKey is the key under which a client is counted at one level.
type levelKey struct {
	key   string
	level int
}

// levelKeys returns all keys under which a normalized address is counted, the widest network first.
func levelKeys(client netip.Addr) []levelKey {
	if !client.Is6() {
		return []levelKey{{client.String(), clientLevel}}
	}
	keys := make([]levelKey, len(levels))
	for i, l := range levels {
		network, _ := client.Prefix(l.bits)
		keys[i] = levelKey{network.String(), i}
	}
	return keys
}

// normalize returns an address in the form that prefixes use: without a zone, and not mapped into IPv6.
func normalize(client netip.Addr) netip.Addr { return client.Unmap().WithZone("") }
