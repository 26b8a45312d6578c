package limit_test

import (
	"testing"

	"foyer/internal/lead"
)

// One household or server has a whole IPv6 /64, and one machine may use its IPv4 address in two notations.
func TestSharedBuckets(t *testing.T) {
	for _, c := range []struct {
		name, one, other string
		shared           bool
	}{
		{"two IPv4 addresses", "192.0.2.1", "192.0.2.2", false},
		{"one IPv4 address", "192.0.2.1", "192.0.2.1", true},
		{"IPv4 and the same mapped into IPv6", "192.0.2.1", "::ffff:192.0.2.1", true},
		{"two mapped addresses", "::ffff:192.0.2.1", "::ffff:192.0.2.2", false},
		{"IPv6 in one /64", "2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff", true},
		{"IPv6 in two /64", "2001:db8:0:1::1", "2001:db8:0:2::1", false},
		{"IPv6 with a zone", "fe80::1%eth0", "fe80::2%eth1", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLimiter(t, perMinute)
			countGranted(t, l, c.one, lead.BucketLeads)
			if shared := !take(t, l, c.other, lead.BucketLeads, 1).Granted; shared != c.shared {
				t.Errorf("shared = %t", shared)
			}
		})
	}
}

func TestExemptNetworks(t *testing.T) {
	l := newLimiter(t, perMinute, "10.0.0.0/8", "2001:db8::/32", "fe80::/10")
	for client, exempt := range map[string]bool{
		"10.1.2.3": true, "::ffff:10.1.2.3": true, "11.0.0.1": false, "2001:db8:5::1": true, "2001:db9::1": false, "fe80::1%eth0": true,
	} {
		if got := countGranted(t, l, client, lead.BucketLeads) > perMinute.Burst; got != exempt {
			t.Errorf("%s: exempt = %t", client, got)
		}
	}
}

func TestBucketsDoNotShare(t *testing.T) {
	l := newLimiter(t, perMinute)
	countGranted(t, l, "192.0.2.1", lead.BucketLeads)
	for _, b := range []lead.Bucket{lead.BucketAttempts, lead.BucketUnknownIDs} {
		if !take(t, l, "192.0.2.1", b, 1).Granted {
			t.Errorf("bucket %d was used up by another", b)
		}
	}
}
