package limit

import (
	"context"
	"time"

	"foyer/internal/lead"
)

// Counter counts for several processes together: n of every charge, or of none. If it refuses, over is the index of the charge
// with nothing left, and retry is when that changes.
type Counter func(ctx context.Context, charges []lead.Charge, n int, now time.Time) (granted bool, over int, retry time.Duration, err error)

// takeShared asks the shared counts. While they are unavailable, what this process counted decides.
func (l *Limiter) takeShared(ctx context.Context, b *bucket, keys []levelKey, n int, local lead.Allowance) lead.Allowance {
	charges := make([]lead.Charge, len(keys))
	for i, k := range keys {
		r := b.levels[k.level].rate
		charges[i] = lead.Charge{Key: b.name + " " + k.key, Step: r.Per / time.Duration(r.Count), Burst: r.Burst}
	}
	granted, over, retry, err := l.Shared(ctx, charges, n, time.Now())
	switch {
	case err != nil:
		return local
	case granted:
		return lead.Allowance{Granted: true, Quota: b.quota(clientLevel)}
	}
	b.exhaust(ctx, keys[over]) // so that a call that only asks is refused here, too
	return b.refusal(keys[over], retry)
}
