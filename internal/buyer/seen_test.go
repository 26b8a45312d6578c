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
		{"asked", buyer.Open, false, nil, buyer.NotSeen},
		{"asked in one step", buyer.Open, true, nil, buyer.MaybeSeen},
		{"declined", buyer.Declined, false, nil, buyer.NotSeen},
		{"declined in one step", buyer.Declined, true, answered(422), buyer.HasSeen},
		{"no decision in one step", buyer.Dropped, true, answered(500), buyer.HasSeen},
		{"nothing was sent", buyer.Dropped, true, failed("connect: refused", "dns", "tls: expired"), buyer.NotSeen},
		{"no answer", buyer.Dropped, true, failed("connect", "timeout: no answer in 15s"), buyer.MaybeSeen},
		{"cut off", buyer.Dropped, true, failed("reset"), buyer.MaybeSeen},
		{"accepted", buyer.Accepted, false, nil, buyer.MaybeSeen},
		{"lost", buyer.Lost, false, failed("timeout"), buyer.MaybeSeen},
		{"lost after an answer", buyer.Lost, false, answered(410), buyer.HasSeen},
		{"delivered", buyer.Delivered, false, answered(200), buyer.HasSeen},
		{"another's attempt", buyer.Declined, false, []buyer.Attempt{{Offer: others, Status: 200}}, buyer.NotSeen},
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
