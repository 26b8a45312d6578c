package operator_test

import (
	"testing"

	"foyer/internal/buyer"
	"foyer/internal/operator"
)

// An offer holds no contact: only a delivery shows it.
func TestOnlyADeliveryShowsTheContact(t *testing.T) {
	o := buyer.Offer{ID: "offer_1", State: buyer.OfferDeclined}
	asked := buyer.Attempt{Offer: "offer_1", Kind: "lead.offered", Status: 200}
	given := buyer.Attempt{Offer: "offer_1", Kind: "lead.delivered", Status: 422}
	if got := operator.Saw(o, []buyer.Attempt{asked}); got != buyer.NotSeen {
		t.Errorf("asked: %s", got)
	}
	if got := operator.Saw(o, []buyer.Attempt{asked, given}); got != buyer.HasSeen {
		t.Errorf("given: %s", got)
	}
}
