package limit_test

import (
	"context"
	"errors"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
	"foyer/internal/limit"
)

// fakeCounter is a shared counter that records its calls and returns what the test sets.
type fakeCounter struct {
	calls   []counterCall
	granted bool
	over    int
	retry   time.Duration
	err     error
}

type counterCall struct {
	Charges []lead.Charge
	N       int
}

func (c *fakeCounter) count(_ context.Context, charges []lead.Charge, n int) (bool, int, time.Duration, error) {
	c.calls = append(c.calls, counterCall{charges, n})
	return c.granted, c.over, c.retry, c.err
}

func newShared(t *testing.T, c *fakeCounter, r limit.Rate, exempt ...string) func(client string, b lead.Bucket, n int) lead.Allowance {
	t.Helper()
	s := newLimiter(t, r, exempt...)
	s.Shared = c.count
	return func(client string, b lead.Bucket, n int) lead.Allowance {
		t.Helper()
		a, err := s.Take(t.Context(), netip.MustParseAddr(client), b, n)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
}

// The shared count decides, whatever this process counted.
func TestSharedCountDecides(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &fakeCounter{granted: true}
		take := newShared(t, c, perMinute)
		for range 10 * perMinute.Burst {
			if !take("192.0.2.1", lead.BucketLeads, 1).Granted {
				t.Fatal("granted by the shared count, refused here")
			}
		}
		c.granted, c.retry = false, 7*time.Second
		want := lead.Allowance{Retry: 7 * time.Second, Quota: lead.Quota{Name: "leads", Limit: 6, Window: time.Minute}}
		if diff := cmp.Diff(want, take("192.0.2.9", lead.BucketLeads, 1)); diff != "" {
			t.Errorf("of a client that came for the first time here (-want +got):\n%s", diff)
		}
	})
}

// Each client and bucket is counted under a key that all processes agree on, with its own rate.
func TestChargeKeys(t *testing.T) {
	c := &fakeCounter{granted: true}
	take := newShared(t, c, limit.Rate{Count: 60, Per: time.Minute, Burst: 120})
	take("192.0.2.1", lead.BucketLeads, 1)
	take("::ffff:192.0.2.1", lead.BucketAttempts, 1)
	take("2001:db8:0:1:ffff::1", lead.BucketUnknownIDs, 1)
	take("192.0.2.1", lead.BucketLeads, -1)
	want := []counterCall{
		{[]lead.Charge{{Key: "leads 192.0.2.1", Step: time.Second, Burst: 120}}, 1},
		{[]lead.Charge{{Key: "tries 192.0.2.1", Step: 100 * time.Millisecond, Burst: 1200}}, 1},
		{[]lead.Charge{
			{Key: "unknown-ids 2001:db8::/48", Step: time.Minute / 160, Burst: 320},
			{Key: "unknown-ids 2001:db8::/56", Step: 1500 * time.Millisecond, Burst: 80},
			{Key: "unknown-ids 2001:db8:0:1::/64", Step: 6 * time.Second, Burst: 20},
		}, 1},
		{[]lead.Charge{{Key: "leads 192.0.2.1", Step: time.Second, Burst: 120}}, -1},
	}
	if diff := cmp.Diff(want, c.calls); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A network that the shared count refuses is over its limit here, too; the client itself is charged nothing.
func TestNetworkRefusedByCounter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &fakeCounter{retry: 7 * time.Second}
		take := newShared(t, c, perMinute)
		want := lead.Allowance{Retry: 7 * time.Second, Quota: lead.Quota{Name: "leads", Limit: 16 * 6, Window: time.Minute}}
		if diff := cmp.Diff(want, take("2001:db8:0:1::1", lead.BucketLeads, 1)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if take("2001:db8:0:ffff::1", lead.BucketLeads, 0).Granted {
			t.Error("a neighbor is granted")
		}
		if !take("2001:db8:1:1::1", lead.BucketLeads, 0).Granted {
			t.Error("another network is refused too")
		}
		c.over = 2
		if got := take("2001:db9:0:1::1", lead.BucketLeads, 1).Quota.Limit; got != 6 {
			t.Errorf("a client over its own limit is told of a limit of %d", got)
		}
		if take("2001:db9:0:1::2", lead.BucketLeads, 0).Granted || !take("2001:db9:0:2::1", lead.BucketLeads, 0).Granted {
			t.Error("not exactly the /64 is over its limit")
		}
	})
}

// While the shared count is unavailable, each process continues with its own counts.
func TestFallbackToLocalCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &fakeCounter{granted: true}
		take := newShared(t, c, perMinute)
		take("192.0.2.1", lead.BucketLeads, 1)
		take("192.0.2.1", lead.BucketLeads, 1)
		take("192.0.2.1", lead.BucketLeads, -1)
		c.granted, c.err = false, errors.New("unavailable")
		for i, want := range []bool{true, true, false} { // one of three is used up
			if got := take("192.0.2.1", lead.BucketLeads, 1); got.Granted != want {
				t.Errorf("call %d without the shared count: %+v", i+1, got)
			}
		}
		want := lead.Allowance{Retry: 10 * time.Second, Quota: lead.Quota{Name: "leads", Limit: 6, Window: time.Minute}}
		if diff := cmp.Diff(want, take("192.0.2.1", lead.BucketLeads, 1)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		c.granted, c.err = true, nil
		if !take("192.0.2.1", lead.BucketLeads, 1).Granted {
			t.Error("refused when the shared count was back")
		}
	})
}

func TestExemptNetworksAreNotCounted(t *testing.T) {
	c := &fakeCounter{}
	take := newShared(t, c, perMinute, "10.0.0.0/8")
	for range 10 * perMinute.Burst {
		if a := take("10.1.2.3", lead.BucketLeads, 1); a != (lead.Allowance{Granted: true}) {
			t.Fatalf("got %+v", a)
		}
	}
	if len(c.calls) > 0 {
		t.Errorf("counted as %v", c.calls)
	}
}

// A call that only asks does not use the shared counter: it returns what this process knows.
func TestAskingIsLocal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &fakeCounter{granted: true}
		take := newShared(t, c, perMinute)
		if !take("192.0.2.1", lead.BucketLeads, 0).Granted {
			t.Error("refused before anything was taken")
		}
		for range perMinute.Burst {
			take("192.0.2.1", lead.BucketLeads, 1)
		}
		if a := take("192.0.2.1", lead.BucketLeads, 0); a.Granted || a.Retry != 10*time.Second {
			t.Errorf("with nothing left here: %+v", a)
		}
		if len(c.calls) != perMinute.Burst {
			t.Errorf("the shared count was asked for %v", c.calls)
		}
	})
}

// After the shared count refused a client, a call that only asks is refused too, even if this process had not seen the client.
func TestRefusalIsRememberedLocally(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &fakeCounter{retry: 7 * time.Second}
		take := newShared(t, c, perMinute)
		if take("192.0.2.1", lead.BucketUnknownIDs, 1).Granted {
			t.Fatal("refused by the shared count, granted here")
		}
		if a := take("192.0.2.1", lead.BucketUnknownIDs, 0); a.Granted || a.Retry <= 0 {
			t.Errorf("asked after a refusal: %+v", a)
		}
		if !take("192.0.2.2", lead.BucketUnknownIDs, 0).Granted {
			t.Error("another client is refused too")
		}
		c.err = errors.New("unavailable")
		if take("192.0.2.1", lead.BucketUnknownIDs, 1).Granted {
			t.Error("granted as soon as the shared count was unavailable")
		}
	})
}
