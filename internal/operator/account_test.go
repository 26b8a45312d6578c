package operator_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// What a buyer owes is what it was charged, less what it paid. What is reserved is neither.
func TestAccount(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(func(in *entered.Terms) { in.Price, in.CreditLimit = new("hvac=45.00"), new("0") })
	want := func(owed, reserved buyer.Cents) {
		t.Helper()
		s, err := o.Show(t.Context(), b.ID)
		if err != nil || s.Owed != owed || s.Reserved() != reserved {
			t.Errorf("it owes %s, %s reserved (%v); want %s and %s", s.Owed, s.Reserved(), err, owed, reserved)
		}
	}
	want(0, 0)
	if e, err := o.Accounts().TopUp(t.Context(), ada, b.ID, 100_00, " transfer 17 "); err != nil || e.Amount != -100_00 || e.Note != "transfer 17" || !e.At.Equal(o.now) {
		t.Errorf("%+v, %v", e, err)
	}
	want(-100_00, 0)
	offer := buyer.Offer{ID: "offer_1", Lead: 1, Buyer: b.ID, At: o.now, State: buyer.OfferOpen, Price: 45_00}
	o.update(func(tx *store.Tx) error { return tx.AddOffer(offer) })
	want(-100_00, 45_00)
	if _, err := o.Accounts().Correct(t.Context(), ada, b.ID, 10_00, "a test lead"); err != nil {
		t.Error(err)
	}
	want(-90_00, 45_00)
	if !o.health(b.ID).WakeAt.Equal(o.now) {
		t.Error("held leads are not looked at again")
	}
}

// A buyer that was removed can still pay what it owes.
func TestRemovedBuyerPays(t *testing.T) {
	o, id := soldTo(t)
	if _, _, err := o.Remove(t.Context(), ada, id, true); err != nil {
		t.Fatal(err)
	}
	found, err := o.Accounts().Find(t.Context(), id)
	paid, payErr := o.Accounts().TopUp(t.Context(), ada, found, 40_00, "")
	if errors.Join(err, payErr) != nil || paid.Owed != 5_00 || paid.BuyerName != "Breeze" {
		t.Errorf("%+v, %v", paid, errors.Join(err, payErr))
	}
	if list, err := o.Accounts().List(t.Context()); err != nil || len(list) != 2 || list[0].Owed != 5_00 || list[0].Buyer.ID != id || list[0].Buyer.State != buyer.Removed {
		t.Errorf("what buyers owe: %+v, %v", list, err)
	}
	if _, err := o.Accounts().Find(t.Context(), "Breeze"); lead.KindOf(err) != lead.NotFound || !strings.Contains(err.(*lead.Error).Message, "among what buyers owe") {
		t.Errorf("by its name: %v", err)
	}
	if h := o.health(id); h != (buyer.Health{}) {
		t.Errorf("held leads are looked at for a buyer that is gone: %+v", h)
	}
	if s, err := o.Accounts().Statement(t.Context(), id, buyer.MonthOf(o.now), time.UTC); err != nil || s.Closing() != 5_00 || s.BuyerName != "Breeze" {
		t.Errorf("its statement: %+v, %v", s, err)
	}
}

func TestAccountErrors(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(noTerms)
	top := func(amount buyer.Cents, note string) error {
		return errOf(o.Accounts().TopUp(t.Context(), ada, b.ID, amount, note))
	}
	correct := func(amount buyer.Cents, note string) error {
		return errOf(o.Accounts().Correct(t.Context(), ada, b.ID, amount, note))
	}
	for said, err := range map[string]error{
		"an amount above zero":        top(0, ""),
		"payment of -$5.00":           top(-5_00, ""),
		"--note: \"a\\nb\"":           top(1, "a\nb"),
		"changes nothing":             correct(0, "why"),
		"--note: missing":             correct(1, ""),
		"would come to":               correct(buyer.MaxAmount+1, "why"),
		"not_found":                   errOf(o.Accounts().TopUp(t.Context(), ada, "buyer_none", 1, "")),
		"at most $1,000,000,000.00 a": top(buyer.MaxAmount+1, ""),
	} {
		if err == nil || !strings.Contains(err.Error(), strings.ReplaceAll(said, "--note: ", "")) {
			t.Errorf("%s: %v", said, err)
		}
	}
	if s, err := o.Show(t.Context(), b.ID); err != nil || s.Owed != 0 {
		t.Errorf("something was entered: %s, %v", s.Owed, err)
	}
}
