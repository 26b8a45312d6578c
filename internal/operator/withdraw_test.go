package operator_test

import (
	"fmt"
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

// TestWithdraw is the rule of all three ways to take a lead off the market, case by case.
func TestWithdraw(t *testing.T) {
	var kept operator.Withdrawn
	rejected := operator.Withdrawn{Status: lead.Rejected, Offers: buyer.OfferFailed}
	for name, c := range map[string]struct {
		status   lead.Status
		delivery buyer.Delivery
		offer    buyer.OfferState
		want     [3]operator.Withdrawn // closing, requesting, erasing
	}{
		"held":                           {status: lead.Collected, want: [3]operator.Withdrawn{rejected, rejected, rejected}},
		"looking for a buyer":            {status: lead.Received, want: [3]operator.Withdrawn{rejected, rejected, rejected}},
		"a buyer is being asked":         {lead.Received, buyer.Delivery{Step: buyer.StepOffer}, buyer.OfferOpen, [3]operator.Withdrawn{rejected, rejected, rejected}},
		"accepted, and nothing sent yet": {lead.Received, buyer.Delivery{Step: buyer.StepDeliver}, buyer.OfferAccepted, [3]operator.Withdrawn{kept, rejected, rejected}},
		"the contact may be out": {lead.Received, buyer.Delivery{Step: buyer.StepDeliver, MayHaveContact: true}, buyer.OfferAccepted, [3]operator.Withdrawn{
			kept, kept, {Status: lead.Errored, Offers: buyer.OfferLost},
		}},
		"sold":   {status: lead.Forwarded, want: [3]operator.Withdrawn{kept, kept, kept}},
		"closed": {status: lead.Rejected, want: [3]operator.Withdrawn{kept, kept, kept}},
		"locked": {status: lead.Errored, want: [3]operator.Withdrawn{kept, kept, kept}},
		"dialed": {status: lead.CallToConnect, want: [3]operator.Withdrawn{kept, kept, kept}},
	} {
		for i, why := range []operator.Withdrawal{operator.Closing, operator.Requesting, operator.Erasing} {
			got := operator.Withdraw(why, c.status, c.delivery, c.offer)
			if got != c.want[i] {
				t.Errorf("%s, way %d: %+v, want %+v", name, i, got, c.want[i])
			}
			if got.Status != "" && !c.status.MayBecome(got.Status, lead.ByService) {
				t.Errorf("%s, way %d: %s may not become %s", name, i, c.status, got.Status)
			}
		}
	}
}

// withheldRepeats saves a held lead and repeats of it that are withheld.
func (o *testOperator) withheldRepeats(n int) {
	o.t.Helper()
	seqs := []int64{}
	for i := range n + 1 {
		seqs = append(seqs, o.save(fmt.Sprint("lead_", i), func(l *lead.Lead) { l.Status = lead.Collected }))
	}
	l, err := storetest.Find(o.t, o.store, "lead_0")
	if err != nil {
		o.t.Fatal(err)
	}
	o.update(func(tx *store.Tx) error {
		for _, seq := range seqs[1:] {
			if err := tx.Withhold(seq, lead.Duplicate, l.Request.Fingerprint(o.Persons.Key), o.now); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestPrivacyRequestClosesEveryRepeat closes more repeats than fit into one transaction, and survives a stale row in the list.
func TestPrivacyRequestClosesEveryRepeat(t *testing.T) {
	const repeats = 1201
	o := newTestOperator(t)
	o.withheldRepeats(repeats)
	o.update(func(tx *store.Tx) error { // as a process of an older version left it
		seq, err := tx.LeadOf("lead_7")
		if err != nil {
			return err
		}
		if _, err := tx.TryChange(seq, lead.Collected, lead.Change{At: o.now, Status: lead.Rejected, Actor: lead.ByService}); err != nil {
			return err
		}
		return tx.Withhold(seq, lead.Duplicate, storetest.Lead("lead_7").Request.Fingerprint(nil), o.now)
	})
	r := lead.PrivacyRequest{ID: "wish_1", At: o.now.Add(time.Minute), Kind: lead.Withdraw, Phone: storetest.Lead("").Request.Contact.Phone, LeadID: "lead_0", State: lead.PrivacyOpen}
	if err := o.SavePrivacyRequest(t.Context(), r, "consent withdrawn"); err != nil {
		t.Fatal(err)
	}
	for i := range repeats + 1 {
		if got := o.status(fmt.Sprint("lead_", i)); got != lead.Rejected {
			t.Fatalf("lead_%d is %s", i, got)
		}
	}
	closed := 0.0
	for _, e := range storetest.Audit(t, o.database) {
		if e.Actor != "person" || e.Subject != "lead_0" || e.Detail["request"] != "wish_1" {
			t.Errorf("the entry is %+v", e)
		}
		closed += e.Detail["repeats_closed"].(float64)
	}
	if closed != repeats-1 { // the stale one was closed before
		t.Errorf("the audit trail counts %v repeats", closed)
	}
}

// TestRepeatsOfWithdrawnLeads checks what becomes of the repeats: a closed lead makes room for them, the person's request closes
// them, and after an erasure they stay held.
func TestRepeatsOfWithdrawnLeads(t *testing.T) {
	for name, c := range map[string]struct {
		withdraw func(*testOperator) error
		repeat   lead.Status
		checked  int // repeats that the forwarder is to check
	}{
		"closed": {func(o *testOperator) error {
			_, err := o.CloseLead(t.Context(), ada, "lead_0", "sold elsewhere")
			return err
		}, lead.Collected, 1},
		"requested": {func(o *testOperator) error {
			return o.SavePrivacyRequest(t.Context(), lead.PrivacyRequest{ID: "wish_1", At: o.now, Phone: storetest.Lead("").Request.Contact.Phone, Kind: lead.EraseAll, LeadID: "lead_0", State: lead.PrivacyOpen}, "erasure requested")
		}, lead.Rejected, 0},
		"erased": {func(o *testOperator) error { _, err := o.Erase(t.Context(), ada, "lead_0"); return err }, lead.Collected, 0},
	} {
		t.Run(name, func(t *testing.T) {
			o := newTestOperator(t)
			o.withheldRepeats(1)
			if err := c.withdraw(o); err != nil {
				t.Fatal(err)
			}
			due, err := o.store.RepeatsToCheck(t.Context(), o.now, 10)
			if err != nil || len(due) != c.checked || o.status("lead_0") != lead.Rejected || o.status("lead_1") != c.repeat {
				t.Errorf("the lead is %s, its repeat %s; to check: %v, %v", o.status("lead_0"), o.status("lead_1"), due, err)
			}
		})
	}
}

// TestEraseWhileContactIsOut tells the operator that a buyer may have the contact, and keeps the offer in its caps.
func TestEraseWhileContactIsOut(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(func(in *entered.Terms) { in.CapDay = new(1) })
	seq := o.save("lead_1", func(l *lead.Lead) { l.Status = lead.Received })
	o.addOpenOffer(seq, b, buyer.StepDeliver, buyer.OfferAccepted, true)
	if own, err := o.Erase(t.Context(), ada, "offer_1"); err != nil || own != "lead_1" { // found by any id
		t.Fatal(own, err)
	}
	past := o.history("lead_1")
	if o.status("lead_1") != lead.Errored || len(past) != 1 || past[0].Reason != operator.ErasedReason+"; a buyer may have the contact" || past[0].Actor != lead.ByOperator {
		t.Errorf("it is %s, with the history %+v", o.status("lead_1"), past)
	}
	if summary, _ := o.Show(t.Context(), b.ID); summary.Today().Used.Leads != 1 || o.offer("offer_1").State != buyer.OfferLost {
		t.Errorf("used are %d, the offer is %s", summary.Today().Used.Leads, o.offer("offer_1").State)
	}
	if _, err := o.Erase(t.Context(), ada, "lead_1"); err != nil { // once more: it stays in error
		t.Fatal(err)
	}
	if past := o.history("lead_1"); len(past) != 2 || past[1].Status != lead.Errored || past[1].Reason != operator.ErasedReason {
		t.Errorf("its history is %+v", past)
	}
	if _, err := o.Erase(t.Context(), ada, "lead_none"); lead.KindOf(err) != lead.NotFound || strings.Contains(fmt.Sprint(err), "wish") {
		t.Errorf("of no lead: %v", err)
	}
}
