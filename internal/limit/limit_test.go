package limit_test

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
	"foyer/internal/limit"
)

var perMinute = limit.Rate{Count: 6, Per: time.Minute, Burst: 3}

func newLimiter(t *testing.T, r limit.Rate, exempt ...string) *limit.Limiter {
	t.Helper()
	var networks []netip.Prefix
	for _, n := range exempt {
		networks = append(networks, netip.MustParsePrefix(n))
	}
	l, err := limit.New(r, networks)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func take(t *testing.T, l *limit.Limiter, client string, b lead.Bucket, n int) lead.Allowance {
	t.Helper()
	a, err := l.Take(t.Context(), netip.MustParseAddr(client), b, n)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// countGranted counts how often a client is granted something before it is refused.
func countGranted(t *testing.T, l *limit.Limiter, client string, b lead.Bucket) int {
	t.Helper()
	for n := range 10_000 {
		if !take(t, l, client, b, 1).Granted {
			return n
		}
	}
	return 10_000
}

func TestBurstThenRefusalThenRefill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, perMinute)
		if got := countGranted(t, l, "192.0.2.1", lead.BucketLeads); got != 3 {
			t.Fatalf("%d granted at once", got)
		}
		refused := take(t, l, "192.0.2.1", lead.BucketLeads, 1)
		want := lead.Allowance{Retry: 10 * time.Second, Quota: lead.Quota{Name: "leads", Limit: 6, Window: time.Minute}}
		if diff := cmp.Diff(want, refused); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		time.Sleep(refused.Retry - time.Nanosecond) // fake time: no real wait
		if take(t, l, "192.0.2.1", lead.BucketLeads, 1).Granted {
			t.Error("granted a moment early")
		}
		time.Sleep(time.Nanosecond)
		if got := countGranted(t, l, "192.0.2.1", lead.BucketLeads); got != 1 {
			t.Errorf("%d granted after Retry", got)
		}
		time.Sleep(time.Hour)
		if got := countGranted(t, l, "192.0.2.1", lead.BucketLeads); got != 3 {
			t.Errorf("%d granted after a long time, want the burst", got)
		}
	})
}

// Dry runs and refused requests have a bucket ten times as large.
func TestBucketSizes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, limit.Rate{Count: 60, Per: time.Minute, Burst: 120})
		for b, want := range map[lead.Bucket]int{lead.BucketLeads: 120, lead.BucketAttempts: 1200, lead.BucketUnknownIDs: 20} {
			if got := countGranted(t, l, "192.0.2.1", b); got != want {
				t.Errorf("bucket %d: %d granted, want %d", b, got, want)
			}
		}
		for b, want := range map[lead.Bucket]time.Duration{lead.BucketLeads: time.Second, lead.BucketAttempts: time.Second / 10, lead.BucketUnknownIDs: 6 * time.Second} {
			if got := take(t, l, "192.0.2.1", b, 1).Retry; got != want {
				t.Errorf("bucket %d: retry after %s, want %s", b, got, want)
			}
		}
	})
}

func TestSmallestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, limit.Rate{Count: 1, Per: 24 * time.Hour, Burst: 1})
		for b, want := range map[lead.Bucket]int{lead.BucketLeads: 1, lead.BucketAttempts: 10, lead.BucketUnknownIDs: 5} {
			if got := countGranted(t, l, "192.0.2.1", b); got != want {
				t.Errorf("bucket %d: %d granted, want %d", b, got, want)
			}
		}
	})
}

func TestAskingIsFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, perMinute)
		for range 100 {
			if !take(t, l, "192.0.2.1", lead.BucketLeads, 0).Granted {
				t.Fatal("asking was refused")
			}
		}
		if got := countGranted(t, l, "192.0.2.1", lead.BucketLeads); got != 3 {
			t.Errorf("%d left, want 3", got)
		}
		time.Sleep(4 * time.Second)
		asked := take(t, l, "192.0.2.1", lead.BucketLeads, 0)
		if asked.Granted || asked.Retry != 6*time.Second {
			t.Errorf("asked with nothing left: %+v, want a refusal for the 6 seconds until there is one", asked)
		}
		time.Sleep(asked.Retry)
		if got := countGranted(t, l, "192.0.2.1", lead.BucketLeads); got != 1 {
			t.Errorf("%d granted after Retry", got)
		}
	})
}

func TestInvalidRates(t *testing.T) {
	for _, r := range []limit.Rate{{Count: 1, Per: time.Minute, Burst: 0}, {Count: 1, Per: -time.Minute, Burst: 1}} {
		if _, err := limit.New(r, nil); err == nil {
			t.Errorf("%+v: accepted", r)
		}
	}
}

func TestOffGrantsEverything(t *testing.T) {
	for range 10_000 {
		a, err := limit.Off{}.Take(t.Context(), netip.Addr{}, lead.BucketLeads, 1)
		if err != nil || !a.Granted {
			t.Fatal("refused")
		}
	}
}

// What was taken can be refunded, and a refund never grants more than the burst.
func TestRefund(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, limit.Rate{Count: 1, Per: time.Hour, Burst: 2})
		for range 10 {
			if !take(t, l, "192.0.2.1", lead.BucketLeads, 1).Granted {
				t.Fatal("not granted")
			}
			take(t, l, "192.0.2.1", lead.BucketLeads, -1)
		}
		if got := countGranted(t, l, "192.0.2.1", lead.BucketLeads); got != 2 {
			t.Errorf("%d granted afterwards, want 2", got)
		}
	})
}
