package desk_test

import (
	"testing"

	"foyer/internal/buyer"
	"foyer/internal/desk"
)

// An offer holds no contact: only a delivery shows it.
func TestOnlyADeliveryShowsTheContact(t *testing.T) {
	o := buyer.Offer{ID: "offer_1", State: buyer.Declined}
	asked := buyer.Attempt{Offer: "offer_1", Kind: "lead.offered", Status: 200}
	given := buyer.Attempt{Offer: "offer_1", Kind: "lead.delivered", Status: 422}
	if got := desk.Saw(o, []buyer.Attempt{asked}); got != buyer.NotSeen {
		t.Errorf("asked: %s", got)
	}
	if got := desk.Saw(o, []buyer.Attempt{asked, given}); got != buyer.HasSeen {
		t.Errorf("given: %s", got)
	}
}
