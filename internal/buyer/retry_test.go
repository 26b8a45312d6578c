package buyer_test

import (
	"slices"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// A failed offer is sent twice within seconds; then the next buyer is asked.
func TestOfferRetry(t *testing.T) {
	for _, c := range []struct {
		attempts int
		asked    time.Duration
		wait     time.Duration // 0 if the next buyer is asked
	}{
		{1, 0, 2 * time.Second},
		{1, time.Second, 2 * time.Second},
		{1, 2 * time.Second, 2 * time.Second},
		{1, 3 * time.Second, 0}, // longer would keep the person waiting
		{1, time.Hour, 0},
		{2, 0, 0},
		{3, 0, 0},
	} {
		if wait, more := buyer.OfferRetry(c.attempts, c.asked); more != (c.wait > 0) || wait != c.wait {
			t.Errorf("after %d attempts, asked for %v: %v, %v", c.attempts, c.asked, wait, more)
		}
	}
}

// The waits of the buyer API: 0 s, 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, 8 h, give or take a fifth.
func TestDeliveryRetry(t *testing.T) {
	pauses := []time.Duration{
		5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour,
	}
	for i, pause := range pauses {
		attempts := i + 1
		for chance, want := range map[float64]time.Duration{0: pause * 8 / 10, 0.5: pause, 1: pause * 12 / 10} {
			if wait, more := buyer.DeliveryRetry(attempts, 0, chance); !more || (wait-want).Abs() > time.Microsecond {
				t.Errorf("after %d attempts, with a chance of %v: %v, %v; want %v", attempts, chance, wait, more, want)
			}
		}
	}
	for _, attempts := range []int{10, 11, 100} {
		if wait, more := buyer.DeliveryRetry(attempts, time.Hour, 0.5); more {
			t.Errorf("after %d attempts there is another in %v", attempts, wait)
		}
	}
}

// Retry-After is honored if it is longer than the wait, up to a day.
func TestRetryAfter(t *testing.T) {
	for _, c := range []struct{ asked, wait time.Duration }{
		{0, 30 * time.Second},
		{time.Second, 30 * time.Second},
		{31 * time.Second, 31 * time.Second},
		{24 * time.Hour, 24 * time.Hour},
		{30 * 24 * time.Hour, 24 * time.Hour},
		{-time.Hour, 30 * time.Second},
	} {
		if wait, more := buyer.DeliveryRetry(2, c.asked, 0.5); !more || wait != c.wait {
			t.Errorf("asked for %v: %v, %v; want %v", c.asked, wait, more, c.wait)
		}
	}
}

// A lease outlives the longest attempt, and an offer outlives a lease: otherwise no process could take over an offer of a dead one.
func TestLeaseAndLifetime(t *testing.T) {
	const answer = 15 * time.Second // the timeout for an answer
	if buyer.Lease < 2*answer || buyer.OfferLifetime < buyer.Lease {
		t.Errorf("an answer takes up to %v, a lease lasts %v, an offer %v", answer, buyer.Lease, buyer.OfferLifetime)
	}
}

// A buyer that is full or closed is asked again after longer waits, and not forever.
func TestAskAgain(t *testing.T) {
	declined := func(code buyer.Code) buyer.Offer {
		return buyer.Offer{At: noon, State: buyer.OfferDeclined, Code: code}
	}
	failed := buyer.Offer{At: noon, State: buyer.OfferFailed}
	full, closed := declined(buyer.CodeCap), declined(buyer.CodeClosed)
	midnight, opening := at(t, newYork, "2026-03-11 00:00"), at(t, newYork, "2026-03-11 08:00")
	for _, x := range []struct {
		what   string
		offers []buyer.Offer
		hours  string
		want   time.Time
	}{
		{"full for the first time", []buyer.Offer{full}, "", noon.Add(time.Hour)},
		{"again", []buyer.Offer{full, full}, "", noon.Add(4 * time.Hour)},
		{"a third time: with the next day", []buyer.Offer{full, full, full}, "", midnight},
		{"closed for the third time: when it opens", []buyer.Offer{full, closed, closed}, "wed 08:00-18:00", opening},
		{"closed though it is open: when it opens again", []buyer.Offer{closed, closed, closed}, "tue 08:00-18:00", at(t, newYork, "2026-03-17 08:00")},
		{"then daily", slices.Repeat([]buyer.Offer{closed}, 4), "wed 08:00-18:00", noon.Add(24 * time.Hour)},
		{"then daily", slices.Repeat([]buyer.Offer{full}, 11), "", noon.Add(24 * time.Hour)},
		{"no answer", []buyer.Offer{failed}, "", noon.Add(5 * time.Minute)},
		{"no answer after it was full", []buyer.Offer{full, full, failed}, "", noon.Add(5 * time.Minute)},
		{"no answer again", []buyer.Offer{failed, failed, failed}, "", noon.Add(20 * time.Minute)},
		{"no answer, often", slices.Repeat([]buyer.Offer{failed}, 11), "", noon.Add(24 * time.Hour)},
		{"often enough", slices.Repeat([]buyer.Offer{full}, 12), "", time.Time{}},
	} {
		b := buyer.Buyer{ID: "buyer_1", State: buyer.Active, Terms: buyer.Terms{Services: []lead.Service{lead.HVAC}}}
		b.Terms.Area.ZIPs, b.Terms.Hours = "331*", buyer.Hours{Text: x.hours, Zone: newYork}
		facts := buyer.Facts{Offers: x.offers, Round: noon.Add(-time.Minute), Used: func(buyer.Period) (buyer.Usage, error) { return buyer.Usage{}, nil }}
		got, err := buyer.NewCoverage([]buyer.Buyer{b}).Find(b.ID).Exclude(sample(), facts, noon)
		if err != nil || !got.Until.Equal(x.want) || got.Rule == "" {
			t.Errorf("%s: %+v, %v; want until %v", x.what, got, err, x.want)
		}
	}
}
