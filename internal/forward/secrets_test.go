package forward_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/operator"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

// operator returns an operator on the same store.
func (fx *fixture) operator() *operator.Operator {
	return &operator.Operator{Store: fx.st, Now: func() time.Time { return fx.now }, NewSecret: func() string { return "whsec_new" }, CheckSecret: func(string) error { return nil }}
}

// A message claimed after a rotation is signed with the new secret, even if its process has not read the buyers since.
func TestNewSecretSignsImmediately(t *testing.T) {
	fx := newFixture(t)
	fx.add("a")
	fx.work() // the process reads the buyer
	if _, _, err := fx.operator().Rotate(t.Context(), ada, "a", ""); err != nil {
		t.Fatal(err)
	}
	fx.submit("lead_1")
	fx.work()
	if len(fx.sent) != 2 {
		t.Fatalf("%d messages were sent", len(fx.sent))
	}
	for _, msg := range fx.sent {
		if !slices.Equal(msg.Secrets, []string{"whsec_new", "whsec_1"}) {
			t.Errorf("signed with %v", msg.Secrets)
		}
	}
}

// The contact is signed with the current secret too, even if the offer was signed with the old one.
func TestSecretRotatedBetweenOfferAndContact(t *testing.T) {
	fx := newFixture(t)
	fx.add("a")
	fx.submit("lead_1")
	task := fx.claim()[0]
	fx.update(func(tx *store.Tx) error {
		b, err := tx.Buyer("a")
		if err != nil {
			return err
		}
		b.Secrets = []string{"whsec_new", "whsec_1"}
		return tx.PutBuyer(b)
	})
	next := fx.send(task)
	fx.send(*next)
	if got := fx.sent[1].Secrets; !slices.Equal(got, []string{"whsec_new", "whsec_1"}) {
		t.Errorf("signed with %v", got)
	}
}

// A rotation returns when no message that only the old secret signed is in flight; it waits for a dead process no longer than
// its lease.
func TestRotationWaitsForMessagesInFlight(t *testing.T) {
	fx := newFixture(t)
	fx.add("a")
	fx.submit("lead_1")
	task := fx.claim()[0]
	soon, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	if _, secret, err := fx.operator().Rotate(soon, ada, "a", ""); err == nil || secret == "" {
		t.Fatal("it returned no secret, or returned while a message was under way that the new secret did not sign")
	}
	if _, err := fx.operator().EndRotation(t.Context(), ada, "a"); err != nil {
		t.Fatal(err)
	}
	fx.answer = func(webhook.Message) webhook.Outcome { return answered(500, "") }
	fx.send(task)
	if _, _, err := fx.operator().Rotate(t.Context(), ada, "a", "whsec_another"); err != nil {
		t.Fatal(err)
	}
	fx.f.ReleaseSlot("a")
	fx.advance(time.Minute)
	if len(fx.claim()) == 0 {
		t.Fatal("nothing is sent again")
	}
	fx.advance(buyer.Lease)
	if _, _, err := fx.operator().Remove(t.Context(), ada, "a", true); err != nil {
		t.Fatal(err)
	}
}
