package operator_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

const closeReason = "sold before the restore"

// addOpenOffer stores an offer of a received lead to a buyer, and the delivery for it.
func (o *testOperator) addOpenOffer(seq int64, b buyer.Buyer, step buyer.Step, state buyer.OfferState, mayHaveContact bool) {
	o.t.Helper()
	offer := buyer.Offer{ID: "offer_1", Lead: seq, Buyer: b.ID, At: o.now, State: state, OneStep: b.Terms.OneStep}
	o.addOffer(offer)
	o.update(func(tx *store.Tx) error {
		d, _, err := tx.Delivery(seq)
		if err != nil {
			return err
		}
		d.BuyerQueue, d.Step, d.Offer, d.Owner, d.MayHaveContact, d.DueAt = b.ID, step, offer.ID, "proc_1", mayHaveContact, o.now.Add(buyer.Lease)
		return tx.PutDelivery(d)
	})
}

// TestCloseLead closes leads whose contact no buyer can have. The contact stays.
func TestCloseLead(t *testing.T) {
	for name, c := range map[string]struct {
		status  lead.Status
		step    buyer.Step
		oneStep bool
	}{
		"held":                              {status: lead.Collected},
		"looking for a buyer":               {status: lead.Received},
		"a buyer is being asked":            {status: lead.Received, step: buyer.StepOffer},
		"nothing could be sent in one step": {status: lead.Received, step: buyer.StepDeliver, oneStep: true},
	} {
		t.Run(name, func(t *testing.T) {
			o := newTestOperator(t)
			b := o.add(func(in *entered.Terms) { in.OneStep = &c.oneStep; in.CapDay = new(1) })
			seq := o.save("lead_1", func(l *lead.Lead) { l.Status = c.status })
			if c.step != "" {
				o.addOpenOffer(seq, b, c.step, buyer.OfferOpen, false)
			}
			o.update(func(tx *store.Tx) error { return tx.PutHealth(b.ID, buyer.Health{}) })
			o.now = o.now.Add(time.Minute)
			if got, err := o.CloseLead(t.Context(), ada, "lead_1", " "+closeReason+" "); err != nil || got != (operator.Closed{Lead: "lead_1"}) {
				t.Fatalf("got %+v, %v", got, err)
			}
			o.wantClosed(seq, "lead_1")
			if c.step == "" {
				return
			}
			if offer := o.offer("offer_1"); offer.State != buyer.OfferFailed {
				t.Errorf("its offer is %+v", offer)
			}
			if summary, _ := o.Show(t.Context(), b.ID); summary.Today().Used.Leads != 0 || !o.health(b.ID).WakeAt.Equal(o.now) {
				t.Errorf("used are %d; what is held is looked at at %v", summary.Today().Used.Leads, o.health(b.ID).WakeAt)
			}
		})
	}
}

// wantClosed checks that a lead is no longer queued, has the operator's reason at the end of its history, and still has its
// contact.
func (o *testOperator) wantClosed(seq int64, id string) {
	o.t.Helper()
	l, err := storetest.Find(o.t, o.store, id)
	if err != nil || l.Status != lead.Rejected || !l.UpdatedAt.Equal(o.now) || l.Request.Contact.Phone == "" {
		o.t.Errorf("the lead is %s since %v, with a person: %v; %v", l.Status, l.UpdatedAt, l.Request.Contact.Phone != "", err)
	}
	if d, found := o.delivery(seq); found {
		o.t.Errorf("it is on its way: %+v", d)
	}
	past := o.history(id)
	if want := (lead.Change{At: o.now, Status: lead.Rejected, Actor: lead.ByOperator, Reason: closeReason}); len(past) != 1 || past[0] != want {
		o.t.Errorf("its history is %+v", past)
	}
}

func (o *testOperator) history(id string) []lead.Change {
	o.t.Helper()
	past, err := storetest.OpenReader(o.t, o.database).History(o.t.Context(), id)
	if err != nil {
		o.t.Fatal(err)
	}
	return past
}

// TestCloseLeadRefused checks leads that are left unchanged, and the reason given.
func TestCloseLeadRefused(t *testing.T) {
	for name, c := range map[string]struct {
		status lead.Status
		state  buyer.OfferState
		unsure bool
		says   string
	}{
		"accepted, and nothing sent yet":       {lead.Received, buyer.OfferAccepted, false, "has its contact, or is about to have it: wait until"},
		"the contact is on its way":            {lead.Received, buyer.OfferAccepted, true, "Its timeline says what was sent"},
		"a one-step buyer's answer is unknown": {lead.Received, buyer.OfferOpen, true, "has its contact, or is about to have it: wait until"},
		"closed":                               {lead.Rejected, "", false, "it is already rejected"},
		"sold":                                 {lead.Forwarded, "", false, "it is forwarded: a buyer has it"},
		"locked":                               {lead.Errored, "", false, "unless you release or replay it"},
		"plumbing":                             {lead.CallToConnect, "", false, "it is call_to_connect: the person dials"},
	} {
		t.Run(name, func(t *testing.T) {
			o := newTestOperator(t)
			b := o.add(noTerms)
			seq := o.save("lead_1", func(l *lead.Lead) { l.Status = c.status })
			if c.state != "" {
				o.addOpenOffer(seq, b, buyer.StepDeliver, c.state, c.unsure)
			}
			o.now = o.now.Add(buyer.Lease + time.Minute) // an expired lease changes nothing
			got, err := o.CloseLead(t.Context(), ada, "lead_1", closeReason)
			if err != nil || got.Lead != "lead_1" || !strings.Contains(got.Left, c.says) {
				t.Errorf("got %+v, %v; want %q", got, err, c.says)
			}
			if past := o.history("lead_1"); o.status("lead_1") != c.status || len(past) != 0 {
				t.Errorf("it is %s, with the history %+v", o.status("lead_1"), past)
			}
			if c.state == "" {
				return
			}
			if d, found := o.delivery(seq); !found || d.Offer != "offer_1" || o.offer("offer_1").State != c.state {
				t.Errorf("its delivery is %+v (%v), its offer %+v", d, found, o.offer("offer_1"))
			}
		})
	}
}

// TestCloseLeadNeedsReason requires one line of text. The error must not repeat a bad one, which may name the person.
func TestCloseLeadNeedsReason(t *testing.T) {
	o := newTestOperator(t)
	o.save("lead_1", unchanged)
	for _, why := range []string{"", " ", "Pat\nExample", "Pat \x1b[31m", "Pat \x00", "Pat \xff", "Pat" + strings.Repeat("é", 98)} {
		_, err := o.CloseLead(t.Context(), ada, "lead_1", why)
		var wrong entered.Problems
		if !errors.As(err, &wrong) || wrong[0].Term != "why" || !strings.Contains(wrong[0].Text, "1 to 100 characters") || strings.Contains(err.Error(), "Pat") {
			t.Errorf("%q: got %v", why, err)
		}
	}
	if got, err := o.CloseLead(t.Context(), ada, "lead_none", closeReason); err != nil || got.Left != "there is no lead with this id" {
		t.Errorf("of no lead: %+v, %v", got, err)
	}
	if _, err := o.CloseLead(t.Context(), ada, "lead_1", strings.Repeat("é", 100)); err != nil || o.status("lead_1") != lead.Rejected {
		t.Errorf("100 characters: %v", err)
	}
}

// TestOnlyDeliveryRevealsContact checks that an offer does not count as seeing the contact.
func TestOnlyDeliveryRevealsContact(t *testing.T) {
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
