package buyer

import "time"

// Lease is how long a piece of work stays with the process that took it. It is longer than the longest attempt.
const Lease = 45 * time.Second

// OfferLifetime is how long an offer can be answered.
const OfferLifetime = time.Minute

const (
	offerAttempts = 2
	offerPause    = 2 * time.Second
)

// deliveryWaits are the pauses before each attempt at a delivery.
var deliveryWaits = []time.Duration{
	0, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour,
}

// MaxWait bounds what a buyer may ask for with Retry-After.
const MaxWait = 24 * time.Hour

// OfferRetry is how long to wait with an offer after so many failed attempts, or false: then the next buyer is asked.
func OfferRetry(attempts int, asked time.Duration) (time.Duration, bool) {
	if attempts >= offerAttempts || asked > offerPause {
		return 0, false // a buyer that asks for more time than that keeps a person waiting
	}
	return offerPause, true
}

// DeliveryRetry is how long to wait with a delivery after so many failed attempts, or false: then it has failed for good. The
// chance, from 0 to 1, spreads out what failed together; asked is what the buyer said with Retry-After.
func DeliveryRetry(attempts int, asked time.Duration, chance float64) (time.Duration, bool) {
	if attempts >= len(deliveryWaits) {
		return 0, false
	}
	wait := time.Duration(float64(deliveryWaits[attempts]) * (0.8 + 0.4*chance))
	return max(wait, min(asked, MaxWait)), true
}

// MaxOffers is how often one lead is offered to one buyer at most.
const MaxOffers = 12

const (
	afterFailure = 5 * time.Minute // after the first offer without a decision; twice as long after each further one
	daily        = 24 * time.Hour
)

// askAgainAt is when a buyer may be asked again about a lead that it did not take, but did not refuse for good. Offers are
// those of this lead to this buyer, oldest first.
func (p *Candidate) askAgainAt(offers []Offer) time.Time {
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
		return p.nextDayOpen(last)
	}
	return last.At.Add(daily)
}

// nextDayOpen is when a buyer that said that it is closed, or that its cap is reached, opens for the next day.
func (p *Candidate) nextDayOpen(last Offer) time.Time {
	nextDay := p.Terms.Caps.allPeriods(last.At, p.calendar.zone)[1].End
	if !p.calendar.open(nextDay) {
		return p.calendar.reopens(nextDay)
	}
	return nextDay
}
