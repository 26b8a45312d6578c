package forward_test

import (
	"slices"
	"strings"
	"testing"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// What follows from a buyer's answer. Two buyers cover the lead, and the second accepts whatever it is offered.
// When a case fails, its name says which rule broke; the model test finds what nobody thought of.
func TestWhatFollowsFromAnAnswer(t *testing.T) {
	accept, reject := answered(200, `{"decision":"accept"}`), answered(200, `{"decision":"reject","code":"closed"}`)
	busy, failing, empty := answered(429, ""), answered(500, ""), answered(200, "")
	refused, gone := answered(401, ""), answered(410, "")
	silent := forward.Reply{Answer: buyer.Answer{Sent: true, Failure: "timeout"}}
	unreachable := forward.Reply{Answer: buyer.Answer{Failure: "connect"}}
	const (
		delivered = lead.Forwarded
		waiting   = lead.Received // for the next attempt with the same buyer
		locked    = lead.Errored  // the buyer may have the contact, so the lead is never sold to another
	)
	for _, x := range []struct {
		name    string
		oneStep bool
		answers []forward.Reply // of the first buyer: to the offer, then to the contact
		status  lead.Status
		soldTo  string           // who has the contact in the end, or ""
		offer   buyer.OfferState // to the first buyer
		state   buyer.State      // of the first buyer
	}{
		{"an offer is accepted", false, []forward.Reply{accept, accept}, delivered, "first", buyer.OfferDelivered, buyer.Active},
		{"an offer is rejected", false, []forward.Reply{reject}, delivered, "second", buyer.OfferDeclined, buyer.Active},
		{"an offer is answered with 429", false, []forward.Reply{busy}, waiting, "", buyer.OfferOpen, buyer.Active},
		{"an offer is answered with 500", false, []forward.Reply{failing}, waiting, "", buyer.OfferOpen, buyer.Active},
		{"an offer is not answered", false, []forward.Reply{silent}, waiting, "", buyer.OfferOpen, buyer.Active},
		{"an offer cannot be sent", false, []forward.Reply{unreachable}, waiting, "", buyer.OfferOpen, buyer.Active},
		{"an offer is answered without a decision", false, []forward.Reply{empty}, waiting, "", buyer.OfferOpen, buyer.Active},
		{"an offer is refused with 401", false, []forward.Reply{refused}, delivered, "second", buyer.OfferFailed, buyer.Paused},
		{"the address of an offer is gone", false, []forward.Reply{gone}, delivered, "second", buyer.OfferFailed, buyer.Off},

		{"an accepted contact is acknowledged without a decision", false, []forward.Reply{accept, empty}, delivered, "first", buyer.OfferDelivered, buyer.Active},
		{"an accepted contact is refused with 422", false, []forward.Reply{accept, answered(422, `{"decision":"reject","code":"bad_contact"}`)}, locked, "first", buyer.OfferLost, buyer.Active},
		{"an accepted contact is answered with 429", false, []forward.Reply{accept, busy}, waiting, "first", buyer.OfferAccepted, buyer.Active},
		{"an accepted contact is answered with 500", false, []forward.Reply{accept, failing}, waiting, "first", buyer.OfferAccepted, buyer.Active},
		{"an accepted contact is not answered", false, []forward.Reply{accept, silent}, waiting, "first", buyer.OfferAccepted, buyer.Active},
		{"an accepted contact cannot be sent", false, []forward.Reply{accept, unreachable}, waiting, "first", buyer.OfferAccepted, buyer.Active},
		{"an accepted contact is refused with 401", false, []forward.Reply{accept, refused}, waiting, "first", buyer.OfferAccepted, buyer.Paused},
		{"the address of an accepted contact is gone", false, []forward.Reply{accept, gone}, locked, "first", buyer.OfferLost, buyer.Off},

		{"one step is accepted", true, []forward.Reply{accept}, delivered, "first", buyer.OfferDelivered, buyer.Active},
		{"one step is rejected", true, []forward.Reply{reject}, delivered, "first second", buyer.OfferDeclined, buyer.Active},
		{"one step is answered without a decision", true, []forward.Reply{empty}, waiting, "first", buyer.OfferOpen, buyer.Active},
		{"one step is answered with 429", true, []forward.Reply{busy}, waiting, "first", buyer.OfferOpen, buyer.Active},
		{"one step is answered with 500", true, []forward.Reply{failing}, waiting, "first", buyer.OfferOpen, buyer.Active},
		{"one step is not answered", true, []forward.Reply{silent}, waiting, "first", buyer.OfferOpen, buyer.Active},
		{"one step cannot be sent", true, []forward.Reply{unreachable}, waiting, "first", buyer.OfferOpen, buyer.Active},
		{"one step is refused with 401", true, []forward.Reply{refused}, delivered, "first second", buyer.OfferFailed, buyer.Paused},
		{"the address of one step is gone", true, []forward.Reply{gone}, delivered, "first second", buyer.OfferFailed, buyer.Off},
	} {
		t.Run(x.name, func(t *testing.T) {
			fx := newFixture(t)
			fx.add("first", "second")
			fx.update(func(tx *store.Tx) error {
				b, err := tx.Buyer("first")
				if err != nil {
					return err
				}
				b.Terms.OneStep = x.oneStep
				return tx.PutBuyer(b)
			})
			left := x.answers
			fx.answer = func(m forward.Message) forward.Reply {
				if !strings.Contains(m.URL, "first") {
					return accept
				}
				reply := left[0]
				left = left[1:]
				return reply
			}
			fx.submit("lead_1")
			fx.work()
			fx.wantLead("lead_1", x.status)
			if got := strings.Join(fx.recipients(forward.LeadDelivered), " "); got != x.soldTo {
				t.Errorf("the contact went to %q, want %q", got, x.soldTo)
			}
			fx.update(func(tx *store.Tx) error {
				seq, err := tx.LeadOf("lead_1")
				if err != nil {
					return err
				}
				offers, err := tx.Offers(seq)
				if i := slices.IndexFunc(offers, func(o buyer.Offer) bool { return o.Buyer == "first" }); err != nil || i < 0 || offers[i].State != x.offer {
					t.Errorf("the offers are %+v (%v), want the first %s", offers, err, x.offer)
				}
				b, err := tx.Buyer("first")
				if b.State != x.state {
					t.Errorf("the first buyer is %s, want %s", b.State, x.state)
				}
				return err
			})
		})
	}
}
