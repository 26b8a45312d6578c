package operator_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

const sold = "sold before the restore"

// propose has a buyer asked about a lead that is received, as far as the errand and the offer say.
func (o *office) propose(seq int64, b buyer.Buyer, step buyer.Step, state buyer.OfferState, unsure bool) {
	o.t.Helper()
	x := buyer.Offer{ID: "offer_1", Lead: seq, Buyer: b.ID, At: o.now, State: state, OneStep: b.Terms.OneStep}
	o.write(x)
	o.turn(func(p operator.Tx) error {
		e, _, err := p.Delivery(seq)
		if err != nil {
			return err
		}
		e.BuyerQueue, e.Step, e.Offer, e.Owner, e.MayHaveContact, e.DueAt = b.ID, step, x.ID, "proc_1", unsure, o.now.Add(buyer.Lease)
		return p.PutDelivery(e)
	})
}

// TestClosingALead takes it out of sale wherever nobody may have the contact. Its person stays.
func TestClosingALead(t *testing.T) {
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
			o := newOffice(t)
			b := o.add(func(d *operator.TermsInput) { d.OneStep = &c.oneStep; d.CapDay = new(1) })
			seq := o.save("lead_1", func(l *lead.Lead) { l.Status = c.status })
			if c.step != "" {
				o.propose(seq, b, c.step, buyer.OfferOpen, false)
			}
			o.turn(func(p operator.Tx) error { return p.PutHealth(b.ID, buyer.Health{}) })
			o.now = o.now.Add(time.Minute)
			if got, err := o.CloseLead(t.Context(), "lead_1", " "+sold+" "); err != nil || got != (operator.Closed{Lead: "lead_1"}) {
				t.Fatalf("got %+v, %v", got, err)
			}
			o.wantClosed(seq, "lead_1")
			if c.step == "" {
				return
			}
			if x := o.offer("offer_1"); x.State != buyer.OfferFailed {
				t.Errorf("its offer is %+v", x)
			}
			if card, _ := o.Show(t.Context(), b.ID); card.Today().Used != 0 || !o.standing(b.ID).WakeAt.Equal(o.now) {
				t.Errorf("used are %d; what is held is looked at at %v", card.Today().Used, o.standing(b.ID).WakeAt)
			}
		})
	}
}

// wantClosed wants a lead that is off its way, with the operator's reason at the end of its history, and a person.
func (o *office) wantClosed(seq int64, id string) {
	o.t.Helper()
	l, err := storetest.Find(o.t, o.store, id)
	if err != nil || l.Status != lead.Rejected || !l.UpdatedAt.Equal(o.now) || l.Request.Contact.Phone == "" {
		o.t.Errorf("the lead is %s since %v, with a person: %v; %v", l.Status, l.UpdatedAt, l.Request.Contact.Phone != "", err)
	}
	if e, found := o.errand(seq); found {
		o.t.Errorf("it is on its way: %+v", e)
	}
	past := o.history(id)
	if want := (lead.Change{At: o.now, Status: lead.Rejected, Actor: lead.ByOperator, Reason: sold}); len(past) != 1 || past[0] != want {
		o.t.Errorf("its history is %+v", past)
	}
}

func (o *office) history(id string) []lead.Change {
	o.t.Helper()
	r, err := store.OpenReader(o.t.Context(), o.database)
	if err != nil {
		o.t.Fatal(err)
	}
	defer r.Close()
	past, err := r.History(o.t.Context(), id)
	if err != nil {
		o.t.Fatal(err)
	}
	return past
}

// TestLeadsThatAreNotClosed stay as they are, and it is said why.
func TestLeadsThatAreNotClosed(t *testing.T) {
	for name, c := range map[string]struct {
		status lead.Status
		state  buyer.OfferState
		unsure bool
		says   string
	}{
		"accepted, and nothing sent yet":       {lead.Received, buyer.OfferAccepted, false, "has its contact, or is about to have it: wait until"},
		"the contact is on its way":            {lead.Received, buyer.OfferAccepted, true, "foyer leads show lead_1"},
		"a one-step buyer's answer is unknown": {lead.Received, buyer.OfferOpen, true, "has its contact, or is about to have it: wait until"},
		"closed":                               {lead.Rejected, "", false, "it is already rejected"},
		"sold":                                 {lead.Forwarded, "", false, "it is forwarded: a buyer has it"},
		"locked":                               {lead.Errored, "", false, "unless you release or replay it"},
		"plumbing":                             {lead.CallToConnect, "", false, "it is call_to_connect: the person dials"},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			b := o.add(nothing)
			seq := o.save("lead_1", func(l *lead.Lead) { l.Status = c.status })
			if c.state != "" {
				o.propose(seq, b, buyer.StepDeliver, c.state, c.unsure)
			}
			o.now = o.now.Add(buyer.Lease + time.Minute) // a lease that is over changes nothing
			got, err := o.CloseLead(t.Context(), "lead_1", sold)
			if err != nil || got.Lead != "lead_1" || !strings.Contains(got.Left, c.says) {
				t.Errorf("got %+v, %v; want %q", got, err, c.says)
			}
			if past := o.history("lead_1"); o.status("lead_1") != c.status || len(past) != 0 {
				t.Errorf("it is %s, with the history %+v", o.status("lead_1"), past)
			}
			if c.state == "" {
				return
			}
			if e, found := o.errand(seq); !found || e.Offer != "offer_1" || o.offer("offer_1").State != c.state {
				t.Errorf("its errand is %+v (%v), its offer %+v", e, found, o.offer("offer_1"))
			}
		})
	}
}

// TestClosingNeedsAReason wants one line of text, and does not repeat one that is wrong: it may name the person.
func TestClosingNeedsAReason(t *testing.T) {
	o := newOffice(t)
	o.save("lead_1", asItIs)
	for _, why := range []string{"", " ", "Pat\nExample", "Pat \x1b[31m", "Pat \x00", "Pat \xff", "Pat" + strings.Repeat("é", 98)} {
		_, err := o.CloseLead(t.Context(), "lead_1", why)
		var wrong *operator.FieldError
		if !errors.As(err, &wrong) || wrong.Term != "why" || !strings.Contains(wrong.Text, "1 to 100 characters") || strings.Contains(err.Error(), "Pat") {
			t.Errorf("%q: got %v", why, err)
		}
	}
	if got, err := o.CloseLead(t.Context(), "lead_none", sold); err != nil || got.Left != "there is no lead with this id" {
		t.Errorf("of no lead: %+v, %v", got, err)
	}
	if _, err := o.CloseLead(t.Context(), "lead_1", strings.Repeat("é", 100)); err != nil || o.status("lead_1") != lead.Rejected {
		t.Errorf("100 characters: %v", err)
	}
}
