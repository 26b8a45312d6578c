package buyer_test

import (
	"testing"

	"foyer/internal/buyer"
)

func TestSaw(t *testing.T) {
	mine, others := buyer.Offer{ID: "offer_1"}, "offer_2"
	answered := func(status int) []buyer.Attempt { return []buyer.Attempt{{Offer: mine.ID, Status: status}} }
	failed := func(failures ...string) (all []buyer.Attempt) {
		for _, f := range failures {
			all = append(all, buyer.Attempt{Offer: mine.ID, Failure: f})
		}
		return all
	}
	for _, c := range []struct {
		name       string
		state      buyer.OfferState
		oneStep    bool
		deliveries []buyer.Attempt
		want       buyer.Seen
	}{
		{"asked", buyer.OfferOpen, false, nil, buyer.NotSeen},
		{"asked in one step", buyer.OfferOpen, true, nil, buyer.MaybeSeen},
		{"declined", buyer.OfferDeclined, false, nil, buyer.NotSeen},
		{"declined in one step", buyer.OfferDeclined, true, answered(422), buyer.HasSeen},
		{"no decision in one step", buyer.OfferFailed, true, answered(500), buyer.HasSeen},
		{"nothing was sent", buyer.OfferFailed, true, failed("connect: refused", "dns", "tls: expired"), buyer.NotSeen},
		{"no answer", buyer.OfferFailed, true, failed("connect", "timeout: no answer in 15s"), buyer.MaybeSeen},
		{"cut off", buyer.OfferFailed, true, failed("reset"), buyer.MaybeSeen},
		{"accepted", buyer.OfferAccepted, false, nil, buyer.MaybeSeen},
		{"lost", buyer.OfferLost, false, failed("timeout"), buyer.MaybeSeen},
		{"lost after an answer", buyer.OfferLost, false, answered(410), buyer.HasSeen},
		{"delivered", buyer.OfferDelivered, false, answered(200), buyer.HasSeen},
		{"another's attempt", buyer.OfferDeclined, false, []buyer.Attempt{{Offer: others, Status: 200}}, buyer.NotSeen},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := mine
			o.State, o.OneStep = c.state, c.oneStep
			if got := o.Saw(c.deliveries); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
