package limit

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/throttled/throttled/v2"
	"github.com/throttled/throttled/v2/store/memstore"

	"foyer/internal/lead"
)

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
