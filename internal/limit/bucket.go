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

// bucket counts one kind of thing, at every level, in one bounded memory. It lets one caller count at a time: the library
// alone would give up where many requests of one address come at the same moment, and would then count what only asked.
type bucket struct {
	name   string
	mu     sync.Mutex
	levels [len(levels)]levelLimit
}

// levelLimit is how much a network of one level may do.
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
		wider := Rate{r.Count * l.factor, r.Per, r.Burst * l.factor}
		gcra, err := throttled.NewGCRARateLimiterCtx(memory, throttled.RateQuota{
			MaxRate: throttled.PerDuration(wider.Count, wider.Per), MaxBurst: wider.Burst - 1,
		})
		if err != nil {
			return nil, fmt.Errorf("limit: %w", err)
		}
		b.levels[i] = levelLimit{wider, gcra}
	}
	return b, nil
}

// take uses up n at all places, or at none. The widest comes first and a refusal ends it, so that a network that is over its
// limit cannot make the memory forget others by showing ever new addresses.
func (b *bucket) take(ctx context.Context, places []levelKey, n int) (lead.Allowance, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, p := range places {
		limited, result, err := b.levels[p.level].gcra.RateLimitCtx(ctx, p.key, n)
		if n == 0 { // asking is never limited, but told how long one would have to wait
			limited = result.RetryAfter > 0
		}
		if err == nil && !limited {
			continue
		}
		for _, wider := range places[:i] {
			_, _, _ = b.levels[wider.level].gcra.RateLimitCtx(ctx, wider.key, -n)
		}
		return b.refusal(p, max(0, result.RetryAfter)), err
	}
	return lead.Allowance{Granted: true, Quota: b.quota(clientLevel)}, nil
}

// exhaust uses up whatever is left at a place.
func (b *bucket) exhaust(ctx context.Context, p levelKey) {
	b.mu.Lock()
	defer b.mu.Unlock()
	gcra := b.levels[p.level].gcra
	if _, result, err := gcra.RateLimitCtx(ctx, p.key, 0); err == nil && result.Remaining > 0 {
		_, _, _ = gcra.RateLimitCtx(ctx, p.key, result.Remaining)
	}
}

// refusal says that nothing is left at a place.
func (b *bucket) refusal(p levelKey, retry time.Duration) lead.Allowance {
	return lead.Allowance{Retry: retry, Quota: b.quota(p.level)}
}

func (b *bucket) quota(level int) lead.Quota {
	r := b.levels[level].rate
	return lead.Quota{Name: b.name, Limit: r.Count, Window: r.Per}
}
