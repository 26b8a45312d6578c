package buyer

import "time"

// Lease is how long a delivery belongs to the process that claimed it. It is longer than the longest attempt.
const Lease = 45 * time.Second

// OfferLifetime is how long an offer is valid.
const OfferLifetime = time.Minute

const (
	offerAttempts = 2
	offerPause    = 2 * time.Second
)

// deliveryWaits are the waits before each attempt to deliver a contact: an exponential backoff, from seconds to hours.
var deliveryWaits = []time.Duration{
	0, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour,
}

// MaxRetryAfter bounds the Retry-After of a buyer, whoever read it. Package webhook, which imports none of ours, has the same bound.
const MaxRetryAfter = 24 * time.Hour

// OfferRetry returns how long to wait before retrying an offer after so many failed attempts, or false to ask the next buyer.
func OfferRetry(attempts int, retryAfter time.Duration) (time.Duration, bool) {
	if attempts >= offerAttempts || retryAfter > offerPause {
		return 0, false // waiting longer than that would keep the person waiting
	}
	return offerPause, true
}

// DeliveryRetry returns how long to wait before retrying a delivery after so many failed attempts, or false if it has failed
// for good. The chance, from 0 to 1, is jitter that spreads out deliveries which failed together.
func DeliveryRetry(attempts int, retryAfter time.Duration, chance float64) (time.Duration, bool) {
	if attempts >= len(deliveryWaits) {
		return 0, false
	}
	wait := time.Duration(float64(deliveryWaits[attempts]) * (0.8 + 0.4*chance))
	return max(wait, min(retryAfter, MaxRetryAfter)), true
}

// MaxOffers is how often one lead is offered to the same buyer at most.
const MaxOffers = 12

const (
	afterFailure = 5 * time.Minute // wait after the first offer without a decision; doubles with each further one
	daily        = 24 * time.Hour
)

// askAgainAt returns when a buyer may be asked again about a lead that it did not take, but did not decline for good. The
// offers are those of this lead to this buyer, oldest first.
func (c *Candidate) askAgainAt(offers []Offer) time.Time {
	last := offers[len(offers)-1]
	declined := 0
	for _, o := range offers {
		if o.State == OfferDeclined {
			declined++
		}
	}
	if last.State != OfferDeclined {
		failed := len(offers) - declined
		return last.At.Add(min(afterFailure<<min(failed-1, 10), daily))
	}
	switch declined {
	case 1:
		return last.At.Add(time.Hour)
	case 2:
		return last.At.Add(4 * time.Hour)
	case 3:
		nextDay := c.Terms.Caps.periods(last.At, c.calendar.zone)[1].End
		if c.calendar.open(nextDay) {
			return nextDay
		}
		return c.calendar.reopens(nextDay)
	}
	return last.At.Add(daily)
}
