package forward_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/operator"
	"foyer/internal/store"
)

// office is a desk on the same store.
func (x *trade) office() *operator.Operator {
	return &operator.Operator{Store: operatorStore{x.st}, Now: func() time.Time { return x.now }, NewSecret: func() string { return "whsec_new" }, CheckSecret: func(string) error { return nil }}
}

// A message that is taken after a secret changed is signed with the new one, though its process has not read the buyers since.
func TestANewSecretSignsAtOnce(t *testing.T) {
	x := newTrade(t)
	x.add("a")
	x.work() // it knows the buyer
	if _, _, err := x.office().Rotate(t.Context(), "a", ""); err != nil {
		t.Fatal(err)
	}
	x.submit("lead_1")
	x.work()
	if len(x.sent) != 2 {
		t.Fatalf("%d messages were sent", len(x.sent))
	}
	for _, letter := range x.sent {
		if !slices.Equal(letter.Secrets, []string{"whsec_new", "whsec_1"}) {
			t.Errorf("signed with %v", letter.Secrets)
		}
	}
}

// The contact goes with the secret of now, too, where the offer went with the old one.
func TestANewSecretBetweenOfferAndContact(t *testing.T) {
	x := newTrade(t)
	x.add("a")
	x.submit("lead_1")
	task := x.take()[0]
	x.turn(func(p *store.Tx) error {
		b, err := p.Buyer("a")
		if err != nil {
			return err
		}
		b.Secrets = []string{"whsec_new", "whsec_1"}
		return p.PutBuyer(b)
	})
	next := x.send(task)
	x.send(*next)
	if got := x.sent[1].Secrets; !slices.Equal(got, []string{"whsec_new", "whsec_1"}) {
		t.Errorf("signed with %v", got)
	}
}

// A rotation returns when nothing is under way any more that only the old secret signed; a dead process is not waited for longer than
// its lease.
func TestARotationWaitsForWhatIsUnderWay(t *testing.T) {
	x := newTrade(t)
	x.add("a")
	x.submit("lead_1")
	task := x.take()[0]
	soon, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	if _, secret, err := x.office().Rotate(soon, "a", ""); err == nil || secret == "" {
		t.Fatal("it told no secret, or returned while a message was under way that the new secret did not sign")
	}
	if _, err := x.office().EndRotation(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	x.answer = func(forward.Message) forward.Reply { return answered(500, "") }
	x.send(task)
	if _, _, err := x.office().Rotate(t.Context(), "a", "whsec_another"); err != nil {
		t.Fatal(err)
	}
	x.f.GiveBack("a")
	x.pass(time.Minute)
	if len(x.take()) == 0 {
		t.Fatal("nothing is sent again")
	}
	x.pass(buyer.Lease)
	if _, _, err := x.office().Remove(t.Context(), "a", true); err != nil {
		t.Fatal(err)
	}
}
