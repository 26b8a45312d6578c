package buyer_test

import (
	"testing"
	"time"

	"foyer/internal/buyer"
)

// A failed offer is tried twice within seconds; then the next buyer is asked.
func TestOfferAgain(t *testing.T) {
	for _, c := range []struct {
		attempts int
		asked    time.Duration
		wait     time.Duration // 0 where the next buyer is asked
	}{
		{1, 0, 2 * time.Second},
		{1, time.Second, 2 * time.Second},
		{1, 2 * time.Second, 2 * time.Second},
		{1, 3 * time.Second, 0}, // a buyer that asks for more time keeps a person waiting
		{1, time.Hour, 0},
		{2, 0, 0},
		{3, 0, 0},
	} {
		if wait, more := buyer.OfferAgain(c.attempts, c.asked); more != (c.wait > 0) || wait != c.wait {
			t.Errorf("after %d attempts, asked for %v: %v, %v", c.attempts, c.asked, wait, more)
		}
	}
}

// The table of the contract: 0 s, 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, 8 h, give or take a fifth.
func TestDeliverAgain(t *testing.T) {
	pauses := []time.Duration{
		5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour,
	}
	for i, pause := range pauses {
		attempts := i + 1
		for chance, want := range map[float64]time.Duration{0: pause * 8 / 10, 0.5: pause, 1: pause * 12 / 10} {
			if wait, more := buyer.DeliverAgain(attempts, 0, chance); !more || (wait-want).Abs() > time.Microsecond {
				t.Errorf("after %d attempts, with a chance of %v: %v, %v; want %v", attempts, chance, wait, more, want)
			}
		}
	}
	for _, attempts := range []int{10, 11, 100} {
		if wait, more := buyer.DeliverAgain(attempts, time.Hour, 0.5); more {
			t.Errorf("after %d attempts there is another in %v", attempts, wait)
		}
	}
}

// What a buyer asks for with Retry-After is honoured where it is longer, up to a day.
func TestRetryAfter(t *testing.T) {
	for _, c := range []struct{ asked, wait time.Duration }{
		{0, 30 * time.Second},
		{time.Second, 30 * time.Second},
		{31 * time.Second, 31 * time.Second},
		{24 * time.Hour, 24 * time.Hour},
		{30 * 24 * time.Hour, 24 * time.Hour},
		{-time.Hour, 30 * time.Second},
	} {
		if wait, more := buyer.DeliverAgain(2, c.asked, 0.5); !more || wait != c.wait {
			t.Errorf("asked for %v: %v, %v; want %v", c.asked, wait, more, c.wait)
		}
	}
}

// A lease outlives the longest attempt, and an offer a lease: else nobody could take a dead process's offer over.
func TestTimesFitTogether(t *testing.T) {
	const answer = 15 * time.Second // in which a buyer has to answer
	if buyer.Lease < 2*answer || buyer.OfferLife < buyer.Lease {
		t.Errorf("an answer takes up to %v, a lease lasts %v, an offer %v", answer, buyer.Lease, buyer.OfferLife)
	}
}
