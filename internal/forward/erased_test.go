package forward_test

import (
	"context"
	"testing"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
)

// ada is the operator of the tests.
var ada = audit.CLI("ada")

// A buyer's answer is not recorded if the person was erased meanwhile: it may name them.
func TestAnswerAboutErasedPerson(t *testing.T) {
	database := storetest.Database(t)
	st, reader := storetest.Open(t, database), storetest.OpenReader(t, database)
	l := storetest.Lead("lead_1")
	l.Status = lead.Received
	if err := st.Update(t.Context(), func(tx *store.Tx) error { return tx.PutBuyer(newBuyer("buyer_1", l)) }); err != nil {
		t.Fatal(err)
	}
	storetest.Save(t, st, l)
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	f := newForwarder(st)
	f.Send = func(context.Context, webhook.Message) webhook.Outcome {
		if _, err := storetest.Operator(st, storetest.Noon).Erase(t.Context(), ada, "lead_1"); err != nil {
			t.Error(err)
		}
		return webhook.Outcome{Sent: true, Status: 200, Answer: []byte(`{"decision":"reject","message":"Pat Example is known to us"}`)}
	}
	if err := f.Start(ctx); err != nil {
		t.Fatal(err)
	}
	go func() {
		for attempts := []buyer.Attempt(nil); len(attempts) == 0 && ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
			attempts, _ = reader.Attempts(ctx, "lead_1")
		}
		stop()
	}()
	f.Run(ctx)
	attempts, err := reader.Attempts(t.Context(), "lead_1")
	if err != nil || len(attempts) != 1 || attempts[0].Answer != "" {
		t.Errorf("the attempts are %+v, %v", attempts, err)
	}
}

// Neither is the reason for the return of an erased lead.
func TestReturnOfErasedPerson(t *testing.T) {
	d := newReturnDesk(t)
	storetest.Erase(t, d.store, "lead_1")
	var offer buyer.Offer
	if err := d.store.Update(t.Context(), func(tx *store.Tx) (err error) {
		offer, _, err = tx.Offer("offer_delivered")
		return err
	}); err != nil || offer.State != buyer.OfferDelivered {
		t.Fatalf("the offer is %+v, %v", offer, err)
	}
	if _, err := d.returnLead(t, "offer_delivered", "Pat Example says wrong number"); err != nil {
		t.Fatal(err)
	}
	offered, err := storetest.OpenReader(t, d.database).Offered(t.Context(), "lead_1")
	for _, o := range offered {
		if o.Reason != "" {
			t.Errorf("%s was given back because %q", o.ID, o.Reason)
		}
	}
	if err != nil || len(offered) != 6 {
		t.Errorf("%d offers, %v", len(offered), err)
	}
}
