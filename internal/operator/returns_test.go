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
)

// soldTo has a lead that a buyer took for 45 dollars. It returns the buyer's id.
func soldTo(t *testing.T) (*testOperator, string) {
	t.Helper()
	o := newTestOperator(t)
	b := o.add(func(in *entered.Terms) { in.Price = new("hvac=45.00") })
	b.ID = "buyer_001"
	b.Terms.Name = "Breeze"
	o.update(func(tx *store.Tx) error { return tx.PutBuyer(b) })
	sold(o)
	return o, b.ID
}

func wantOwed(t *testing.T, o *testOperator, id string, want buyer.Cents, used int) {
	t.Helper()
	if s, err := o.Show(t.Context(), id); err != nil || s.Owed != want || s.Today().Used.Leads != used || s.Reserved() != 0 {
		t.Errorf("it owes %s, and used %d, %s reserved (%v)", s.Owed, s.Today().Used.Leads, s.Reserved(), err)
	}
}

// The operator enters a return, however late, and decides it. A denied one can be approved later, an approved one stays so.
func TestReturnsDesk(t *testing.T) {
	o, id := soldTo(t)
	o.now = o.now.Add(time.Minute)
	wantOwed(t, o, id, 45_00, 1)
	r, err := o.AddReturn(t.Context(), ada, operator.ReturnInput{Offer: "offer_1", Code: lead.ReturnBadContact, Reason: "nobody answers"})
	if err != nil || r.State != buyer.ReturnWaiting {
		t.Fatalf("%+v, %v", r, err)
	}
	list, err := o.Returns(t.Context(), store.ReturnFilter{State: buyer.ReturnWaiting, Limit: 10})
	if err != nil || len(list) != 1 || list[0].Offer != "offer_1" || list[0].LeadID != "lead_1" || list[0].BuyerName != "Breeze" || list[0].Price != 45_00 || list[0].Reason != "nobody answers" {
		t.Errorf("listed: %+v, %v", list, err)
	}
	if r, err = o.DenyReturn(t.Context(), ada, "offer_1", "we reached them"); err != nil || r.State != buyer.ReturnDenied || r.Note != "we reached them" {
		t.Errorf("%+v, %v", r, err)
	}
	wantOwed(t, o, id, 45_00, 1)
	if r, err = o.ApproveReturn(t.Context(), ada, "offer_1", "after all"); err != nil || r.State != buyer.ReturnApproved || !r.DecidedAt.Equal(o.now) || r.DecidedBy != string(ada) {
		t.Errorf("%+v, %v", r, err)
	}
	wantOwed(t, o, id, 0, 0)
	for said, err := range map[string]error{
		"approved already":                    errOf(o.ApproveReturn(t.Context(), ada, "offer_1", "")),
		"a correction of what buyer_001 owes": errOf(o.DenyReturn(t.Context(), ada, "offer_1", "no")),
		"offer_1 was returned already":        errOf(o.AddReturn(t.Context(), ada, operator.ReturnInput{Offer: "offer_1", Code: lead.ReturnOther, Reason: "x"})),
		"missing: tell the buyer why":         errOf(o.DenyReturn(t.Context(), ada, "offer_1", " ")),
		"missing: say why the lead comes":     errOf(o.AddReturn(t.Context(), ada, operator.ReturnInput{Offer: "offer_1", Code: lead.ReturnOther})),
		"not_found":                           errOf(o.ApproveReturn(t.Context(), ada, "offer_2", "")),
	} {
		if err == nil || !strings.Contains(err.Error(), said) {
			t.Errorf("%s: %v", said, err)
		}
	}
	if _, err := o.AddReturn(t.Context(), ada, operator.ReturnInput{Offer: "offer_2", Code: lead.ReturnOther, Reason: "x"}); lead.KindOf(err) != lead.NotFound {
		t.Errorf("an offer that was never made: %v", err)
	}
	if list, err := o.Returns(t.Context(), store.ReturnFilter{Buyer: id, Limit: 10}); err != nil || len(list) != 1 || list[0].State != buyer.ReturnApproved {
		t.Errorf("listed: %+v, %v", list, err)
	}
	if list, err := o.Returns(t.Context(), store.ReturnFilter{Buyer: "buyer_other", Limit: 10}); err != nil || len(list) != 0 {
		t.Errorf("of another buyer: %+v, %v", list, err)
	}
}

// A buyer that was removed is not told, and nobody claims that it was.
func TestReturnOfARemovedBuyer(t *testing.T) {
	o, id := soldTo(t)
	if _, err := o.AddReturn(t.Context(), ada, operator.ReturnInput{Offer: "offer_1", Code: lead.ReturnDuplicate, Reason: "twice"}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := o.Remove(t.Context(), ada, id, true); err != nil {
		t.Fatal(err)
	}
	r, err := o.ApproveReturn(t.Context(), ada, "offer_1", "")
	if err != nil || !r.NotifyAt.IsZero() || !r.NotifiedAt.IsZero() {
		t.Errorf("%+v, %v", r, err)
	}
	if list, err := o.Accounts().List(t.Context()); err != nil || len(list) != 1 || list[0].Buyer.ID == id {
		t.Errorf("it owes nothing: %+v, %v", list, err)
	}
}

// Only a lead that was delivered comes back, and the reason of an erased person is not kept.
func TestReturnsThatCannotBe(t *testing.T) {
	o, id := soldTo(t)
	o.addOffer(buyer.Offer{ID: "offer_lost", Lead: 1, Buyer: id, At: o.now, State: buyer.OfferLost})
	if _, err := o.AddReturn(t.Context(), ada, operator.ReturnInput{Offer: "offer_lost", Code: lead.ReturnOther, Reason: "x"}); err == nil || !strings.Contains(err.Error(), "offer_lost is lost") {
		t.Errorf("a lead that may never have arrived: %v", err)
	}
	if _, err := o.Erase(t.Context(), ada, "lead_1"); err != nil {
		t.Fatal(err)
	}
	r, err := o.AddReturn(t.Context(), ada, operator.ReturnInput{Offer: "offer_1", Code: lead.ReturnConsent, Reason: "Pat never agreed", Approve: true})
	list, listErr := o.Returns(t.Context(), store.ReturnFilter{Limit: 10})
	if errors.Join(err, listErr) != nil || r.State != buyer.ReturnApproved || len(list) != 1 || list[0].Reason != "" {
		t.Errorf("%+v, %+v, %v", r, list, errors.Join(err, listErr))
	}
	wantOwed(t, o, id, 0, 1) // the lost one counts
}

// The note of a decision is erased with the person, whom it may name, and none is kept after that.
func TestNoteAboutAnErasedPerson(t *testing.T) {
	o, _ := soldTo(t)
	wantNote := func(want string) {
		t.Helper()
		list, err := o.Returns(t.Context(), store.ReturnFilter{Limit: 10})
		if err != nil || len(list) != 1 || list[0].Note != want {
			t.Errorf("listed: %+v, %v; want the note %q", list, err, want)
		}
	}
	_, err := o.AddReturn(t.Context(), ada, operator.ReturnInput{Offer: "offer_1", Code: lead.ReturnConsent, Reason: "never agreed"})
	_, denyErr := o.DenyReturn(t.Context(), ada, "offer_1", "Pat did agree")
	if err := errors.Join(err, denyErr); err != nil {
		t.Fatal(err)
	}
	wantNote("Pat did agree")
	if _, err := o.Erase(t.Context(), ada, "lead_1"); err != nil {
		t.Fatal(err)
	}
	wantNote("")
	if r, err := o.ApproveReturn(t.Context(), ada, "offer_1", "Pat did not agree"); err != nil || r.State != buyer.ReturnApproved || r.Note != "" {
		t.Errorf("%+v, %v", r, err)
	}
	wantNote("")
}
