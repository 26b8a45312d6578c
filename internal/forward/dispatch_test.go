package forward_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
)

// unreadableQueue is a store that can write but not poll the queues: the writer has its own connection.
type unreadableQueue struct{ testStore }

func (unreadableQueue) Pending(context.Context, time.Time) (store.Pending, error) {
	return store.Pending{}, errors.New("the queue cannot be read")
}

// A queue with a delivery that waits for a slot is served even while polling fails.
func TestWaitingQueueIsServedWhilePollFails(t *testing.T) {
	st := storetest.Open(t, storetest.Database(t))
	waitInQueue(t, st, "buyer_1")
	ctx, stop := context.WithCancel(t.Context())
	sent := make(chan string, 1)
	f := newForwarder(st)
	f.Store = unreadableQueue{testStore{st, func() error { return nil }}}
	f.Send = func(_ context.Context, msg webhook.Message) webhook.Outcome {
		stop()
		sent <- msg.ID
		return webhook.Outcome{}
	}
	f.Now = func() time.Time { return storetest.Noon.Add(time.Minute) }
	if err := f.Start(ctx); err != nil {
		t.Fatal(err)
	}
	f.MarkWaiting("buyer_1")
	defer time.AfterFunc(5*time.Second, stop).Stop()
	f.Run(ctx)
	if len(sent) == 0 {
		t.Error("the queue was not served again")
	}
}

// newForwarder returns a forwarder. It cannot send.
func newForwarder(st *store.Store) *forward.Forwarder {
	var ids atomic.Int64
	return &forward.Forwarder{
		Store:      testStore{st, func() error { return nil }},
		Suppressed: func(string) bool { return false },
		Now:        time.Now,
		NewID:      func(prefix string, _ time.Time) string { return fmt.Sprint(prefix, ids.Add(1)) },
		Chance:     func() float64 { return 0 },
		Owner:      "proc_1",
		Log:        slog.New(slog.DiscardHandler),
	}
}

// newBuyer returns a buyer that covers a lead.
func newBuyer(id string, l lead.Lead) buyer.Buyer {
	return buyer.Buyer{
		ID: id, State: buyer.Active, Secrets: []string{"whsec_1"}, CreatedAt: storetest.Noon, UpdatedAt: storetest.Noon,
		Terms: buyer.Terms{URL: "https://buyer.example.com/leads", Services: []lead.Service{l.Request.Service}},
	}
}

// waitInQueue saves a lead that waits for a slot of the one buyer that covers it.
func waitInQueue(t *testing.T, st *store.Store, queue string) {
	t.Helper()
	l := storetest.Lead("lead_1")
	l.Status = lead.Received
	storetest.Save(t, st, l)
	err := st.Update(t.Context(), func(tx *store.Tx) error {
		seq, err := tx.LeadOf(l.ID)
		if err != nil {
			return err
		}
		e, found, err := tx.Delivery(seq)
		if err != nil || !found {
			return errors.Join(err, errors.New("no delivery"))
		}
		e.BuyerQueue = queue
		return errors.Join(tx.PutBuyer(newBuyer(queue, l)), tx.PutDelivery(e))
	})
	if err != nil {
		t.Fatal(err)
	}
}
