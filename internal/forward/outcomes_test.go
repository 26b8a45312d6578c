package forward_test

import (
	"slices"
	"strings"
	"testing"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

// What follows from a buyer's answer. Two buyers cover the lead, and the second accepts whatever it is offered.
// When a case fails, its name says which rule broke; the model test finds what nobody thought of.
func TestWhatFollowsFromAnAnswer(t *testing.T) {
	accept, reject := answered(200, `{"decision":"accept"}`), answered(200, `{"decision":"reject","code":"closed"}`)
	busy, failing, empty := answered(429, ""), answered(500, ""), answered(200, "")
	refused, gone := answered(401, ""), answered(410, "")
	silent := webhook.Outcome{Sent: true, Failure: "timeout"}
	unreachable := webhook.Outcome{Failure: "connect"}
	const (
		delivered = lead.Forwarded
		waiting   = lead.Received // for the next attempt with the same buyer
		locked    = lead.Errored  // the buyer may have the contact, so the lead is never sold to another
	)
	for _, x := range []struct {
		name    string
		oneStep bool
		answers []webhook.Outcome // of the first buyer: to the offer, then to the contact
		status  lead.Status
		soldTo  string           // who has the contact in the end, or ""
		offer   buyer.OfferState // to the first buyer
		state   buyer.State      // of the first buyer
	}{
		{"an offer is accepted", false, []webhook.Outcome{accept, accept}, delivered, "first", buyer.OfferDelivered, buyer.Active},
		{"an offer is rejected", false, []webhook.Outcome{reject}, delivered, "second", buyer.OfferDeclined, buyer.Active},
		{"an offer is answered with 429", false, []webhook.Outcome{busy}, waiting, "", buyer.OfferOpen, buyer.Active},
		{"an offer is answered with 500", false, []webhook.Outcome{failing}, waiting, "", buyer.OfferOpen, buyer.Active},
		{"an offer is not answered", false, []webhook.Outcome{silent}, waiting, "", buyer.OfferOpen, buyer.Active},
		{"an offer cannot be sent", false, []webhook.Outcome{unreachable}, waiting, "", buyer.OfferOpen, buyer.Active},
		{"an offer is answered without a decision", false, []webhook.Outcome{empty}, waiting, "", buyer.OfferOpen, buyer.Active},
		{"an offer is refused with 401", false, []webhook.Outcome{refused}, delivered, "second", buyer.OfferFailed, buyer.Paused},
		{"the address of an offer is gone", false, []webhook.Outcome{gone}, delivered, "second", buyer.OfferFailed, buyer.Off},

		{"an accepted contact is acknowledged without a decision", false, []webhook.Outcome{accept, empty}, delivered, "first", buyer.OfferDelivered, buyer.Active},
		{"an accepted contact is refused with 422", false, []webhook.Outcome{accept, answered(422, `{"decision":"reject","code":"bad_contact"}`)}, locked, "first", buyer.OfferLost, buyer.Active},
		{"an accepted contact is answered with 429", false, []webhook.Outcome{accept, busy}, waiting, "first", buyer.OfferAccepted, buyer.Active},
		{"an accepted contact is answered with 500", false, []webhook.Outcome{accept, failing}, waiting, "first", buyer.OfferAccepted, buyer.Active},
		{"an accepted contact is not answered", false, []webhook.Outcome{accept, silent}, waiting, "first", buyer.OfferAccepted, buyer.Active},
		{"an accepted contact cannot be sent", false, []webhook.Outcome{accept, unreachable}, waiting, "first", buyer.OfferAccepted, buyer.Active},
		{"an accepted contact is refused with 401", false, []webhook.Outcome{accept, refused}, waiting, "first", buyer.OfferAccepted, buyer.Paused},
		{"the address of an accepted contact is gone", false, []webhook.Outcome{accept, gone}, locked, "first", buyer.OfferLost, buyer.Off},

		{"one step is accepted", true, []webhook.Outcome{accept}, delivered, "first", buyer.OfferDelivered, buyer.Active},
		{"one step is rejected", true, []webhook.Outcome{reject}, delivered, "first second", buyer.OfferDeclined, buyer.Active},
		{"one step is answered without a decision", true, []webhook.Outcome{empty}, waiting, "first", buyer.OfferOpen, buyer.Active},
		{"one step is answered with 429", true, []webhook.Outcome{busy}, waiting, "first", buyer.OfferOpen, buyer.Active},
		{"one step is answered with 500", true, []webhook.Outcome{failing}, waiting, "first", buyer.OfferOpen, buyer.Active},
		{"one step is not answered", true, []webhook.Outcome{silent}, waiting, "first", buyer.OfferOpen, buyer.Active},
		{"one step cannot be sent", true, []webhook.Outcome{unreachable}, waiting, "first", buyer.OfferOpen, buyer.Active},
		{"one step is refused with 401", true, []webhook.Outcome{refused}, delivered, "first second", buyer.OfferFailed, buyer.Paused},
		{"the address of one step is gone", true, []webhook.Outcome{gone}, delivered, "first second", buyer.OfferFailed, buyer.Off},
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
			fx.answer = func(m webhook.Message) webhook.Outcome {
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
