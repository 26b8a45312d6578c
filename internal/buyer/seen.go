package buyer

import "strings"

// Seen is whether a buyer has seen who a person is.
type Seen string

// What can be said of it.
const (
	NotSeen   Seen = "no"
	MaybeSeen Seen = "maybe"
	HasSeen   Seen = "yes"
)

// unsentFailures begin the failures of attempts of which nothing can have reached the buyer.
var unsentFailures = []string{"bad_message", "refused_address", "dns", "connect", "tls"}

// Saw says whether the buyer that an offer went to has seen the contact, by what became of the offer and of every attempt to
// send it the contact. Whatever is not certain may be so.
func (o Offer) Saw(deliveries []Attempt) Seen {
	seen := NotSeen
	if o.State == OfferLost || o.State == OfferAccepted || o.State == OfferOpen && o.OneStep { // it may be on its way at this moment
		seen = MaybeSeen
	}
	if o.State == OfferDelivered {
		return HasSeen
	}
	for _, a := range deliveries {
		switch {
		case a.Offer != o.ID:
		case a.Status != 0: // it answered, whatever it said
			return HasSeen
		case !hasFailure(a.Failure, unsentFailures):
			seen = MaybeSeen
		}
	}
	return seen
}

func hasFailure(failure string, words []string) bool {
	word, _, _ := strings.Cut(failure, ":")
	for _, w := range words {
		if word == w {
			return true
		}
	}
	return false
}
