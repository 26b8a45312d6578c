package limit_test

import (
	"fmt"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
	"foyer/internal/limit"
)

// A client with many addresses has a bounded multiple of one allowance: 4 times with a /56, 16 times with a /48.
func TestWiderNetworks(t *testing.T) {
	for _, c := range []struct {
		name    string
		address func(i int) string
		want    int
	}{
		{"one /64", func(i int) string { return fmt.Sprintf("2001:db8:0:1::%x", i) }, 3},
		{"one /56", func(i int) string { return fmt.Sprintf("2001:db8:0:1%02x::1", i%256) }, 4 * 3},
		{"one /48", func(i int) string { return fmt.Sprintf("2001:db8:0:%x::1", i*257%65536) }, 16 * 3},
		{"many /48", func(i int) string { return fmt.Sprintf("2001:db8:%x:1::1", i) }, 500},
		{"IPv4", func(i int) string { return fmt.Sprintf("10.0.%d.%d", i/256, i%256) }, 500},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, got := newLimiter(t, perMinute), 0
				for i := range 500 {
					if take(t, l, c.address(i), lead.BucketLeads, 1).Granted {
						got++
					}
				}
				if got != c.want {
					t.Errorf("%d of 500 were granted, want %d", got, c.want)
				}
			})
		})
	}
}

// A refusal at one level is not charged to the others, and says which limit it was.
func TestRefusalIsFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, perMinute)
		for range 100 {
			take(t, l, "2001:db8:0:1::1", lead.BucketLeads, 1) // three are granted
		}
		for i := range 3 {
			countGranted(t, l, fmt.Sprintf("2001:db8:0:%x::1", 2+i), lead.BucketLeads)
		}
		want := lead.Allowance{Retry: 2500 * time.Millisecond, Quota: lead.Quota{Name: "leads", Limit: 4 * 6, Window: time.Minute}}
		for _, n := range []int{0, 1} {
			if diff := cmp.Diff(want, take(t, l, "2001:db8:0:ff::1", lead.BucketLeads, n)); diff != "" {
				t.Errorf("taking %d in a /56 that has used everything up (-want +got):\n%s", n, diff)
			}
		}
		if got := countGranted(t, l, "2001:db8:0:100::1", lead.BucketLeads); got != 3 {
			t.Errorf("in the next /56, %d were granted", got)
		}
		time.Sleep(want.Retry)
		if !take(t, l, "2001:db8:0:ff::1", lead.BucketLeads, 1).Granted {
			t.Error("refused after Retry: the refusals before it were charged")
		}
	})
}

// A refund goes to every level.
func TestRefundToNetworks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, perMinute)
		for range 100 {
			take(t, l, "2001:db8:0:1::1", lead.BucketLeads, 1)
			take(t, l, "2001:db8:0:1::1", lead.BucketLeads, -1)
		}
		if got := countGranted(t, l, "2001:db8:0:2::1", lead.BucketLeads); got != 3 {
			t.Errorf("%d were granted to a neighbor", got)
		}
	})
}

// One /48 cannot evict others from the limiter, however many addresses it uses.
func TestNetworkCannotEvictOthers(t *testing.T) {
	l := newLimiter(t, limit.Rate{Count: 1, Per: 24 * time.Hour, Burst: 1})
	take(t, l, "192.0.2.1", lead.BucketLeads, 1)
	for i := range 300_000 {
		take(t, l, fmt.Sprintf("2001:db8:0:%x::1", i%65536), lead.BucketLeads, 1)
	}
	if take(t, l, "192.0.2.1", lead.BucketLeads, 1).Granted {
		t.Error("evicted")
	}
}

func TestOf(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.1": "192.0.2.1/32", "::ffff:192.0.2.1": "192.0.2.1/32", "2001:db8:0:1:2::1": "2001:db8:0:1::/64", "fe80::1%eth0": "fe80::/64",
	} {
		if got := limit.Of(netip.MustParseAddr(address)).String(); got != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
	if limit.Of(netip.Addr{}).IsValid() {
		t.Error("no address is a network")
	}
}
