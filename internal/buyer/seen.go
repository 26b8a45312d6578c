package buyer

import (
	"slices"
	"strings"
)

// Seen says whether a buyer has seen a contact.
type Seen string

// The values of Seen.
const (
	NotSeen   Seen = "no"
	MaybeSeen Seen = "maybe"
	HasSeen   Seen = "yes"
)

// unsentFailures are the first words of failures after which nothing can have reached the buyer.
var unsentFailures = []string{"bad_message", "refused_address", "dns", "connect", "tls"}

// Saw says whether the buyer that got an offer has seen the contact, judging by the state of the offer and by every attempt
// to deliver the contact. If that is not certain, the result is MaybeSeen.
func (o Offer) Saw(deliveries []Attempt) Seen {
	seen := NotSeen
	if o.State == OfferLost || o.State == OfferAccepted || o.State == OfferOpen && o.OneStep { // a message may be in flight now
		seen = MaybeSeen
	}
	if o.State.WasDelivered() {
		return HasSeen
	}
	for _, a := range deliveries {
		failure, _, _ := strings.Cut(a.Failure, ":")
		switch {
		case a.Offer != o.ID:
		case a.Status != 0: // the buyer answered, with any status
			return HasSeen
		case !slices.Contains(unsentFailures, failure):
			seen = MaybeSeen
		}
	}
	return seen
}
