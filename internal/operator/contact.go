package operator

import (
	"slices"

	"foyer/internal/buyer"
	"foyer/internal/forward"
)

// Saw says whether the buyer that an offer went to has seen the contact, by every attempt to send anything about the lead.
func Saw(o buyer.Offer, attempts []buyer.Attempt) buyer.Seen {
	return o.Saw(slices.DeleteFunc(slices.Clone(attempts), func(a buyer.Attempt) bool { return a.Kind != forward.LeadDelivered }))
}
