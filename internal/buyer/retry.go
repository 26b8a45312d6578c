package buyer

import "time"

// Lease is how long a piece of work stays with the process that took it. It is longer than the longest attempt.
const Lease = 45 * time.Second

// OfferLife is how long an offer can be answered.
const OfferLife = time.Minute

const (
	offerAttempts = 2
	offerPause    = 2 * time.Second
)

// waits are the pauses before each attempt at a delivery.
var waits = []time.Duration{
	0, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour,
}

// longestWait bounds what a buyer may ask for with Retry-After.
const longestWait = 24 * time.Hour

// OfferAgain is how long to wait with an offer after so many failed attempts, or false: then the next buyer is asked.
func OfferAgain(attempts int, asked time.Duration) (time.Duration, bool) {
	if attempts >= offerAttempts || asked > offerPause {
		return 0, false // a buyer that asks for more time than that keeps a person waiting
	}
	return offerPause, true
}

// DeliverAgain is how long to wait with a delivery after so many failed attempts, or false: then it has failed for good. The
// chance, from 0 to 1, spreads out what failed together; asked is what the buyer said with Retry-After.
func DeliverAgain(attempts int, asked time.Duration, chance float64) (time.Duration, bool) {
	if attempts >= len(waits) {
		return 0, false
	}
	wait := time.Duration(float64(waits[attempts]) * (0.8 + 0.4*chance))
	return max(wait, min(asked, longestWait)), true
}
