package forward_test

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
)

// A lead received by a process whose clock is ahead is offered immediately, and once to each buyer, like any other.
func TestLeadFromFastClock(t *testing.T) {
	for _, ahead := range []time.Duration{0, 300 * time.Millisecond, time.Hour} {
		t.Run(ahead.String(), func(t *testing.T) {
			st := storetest.Open(t, storetest.Database(t))
			l := storetest.Lead("lead_1")
			l.Status, l.CreatedAt = lead.Received, time.Now().Add(ahead).UTC().Truncate(time.Microsecond)
			if err := st.Update(t.Context(), func(tx *store.Tx) error { return tx.PutBuyer(newBuyer("buyer_1", l)) }); err != nil {
				t.Fatal(err)
			}
			storetest.Save(t, st, l)
			if asked := countOffers(t, st, "lead_1"); asked != 1 {
				t.Errorf("the buyer, which is full today, was asked %d times", asked)
			}
			if l, err := st.LeadSummary(t.Context(), "lead_1"); err != nil || l.Status != lead.Collected {
				t.Errorf("the lead is %s, %v; want it held", l.Status, err)
			}
		})
	}
}

// countOffers runs a forwarder whose buyers are all full until the lead is held, and for half a second more. It returns how often the
// buyers were asked.
func countOffers(t *testing.T, st *store.Store, leadID string) int64 {
	t.Helper()
	var asked atomic.Int64
	f := newForwarder(st)
	f.Send = func(context.Context, webhook.Message) webhook.Outcome {
		asked.Add(1)
		return webhook.Outcome{Sent: true, Status: 200, Answer: []byte(`{"decision":"reject","code":"cap"}`)}
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	if err := f.Start(ctx); err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() { f.Run(ctx) })
	storetest.Eventually(t, leadID+" is held", func() bool {
		l, err := st.LeadSummary(t.Context(), leadID)
		return err == nil && l.Status == lead.Collected
	})
	time.Sleep(500 * time.Millisecond)
	stop()
	running.Wait()
	return asked.Load()
}

// A transaction may wait for those of other processes before it reads anything. A lead that arrived meanwhile is not offered at
// a time before it existed.
func TestOfferIsNotOlderThanLead(t *testing.T) {
	st := storetest.Open(t, storetest.Database(t))
	l, began := storetest.Lead("lead_1"), storetest.Noon
	l.Status, l.CreatedAt = lead.Received, began.Add(time.Second)
	if err := st.Update(t.Context(), func(tx *store.Tx) error { return tx.PutBuyer(newBuyer("buyer_1", l)) }); err != nil {
		t.Fatal(err)
	}
	storetest.Save(t, st, l)
	f := newForwarder(st)
	if err := f.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	readings := 0
	f.Now = func() time.Time { // the transaction begins, and reads the due deliveries two seconds later
		if readings++; readings == 1 {
			return began
		}
		return began.Add(2 * time.Second)
	}
	tasks, err := f.ClaimDue(t.Context(), "", 1)
	if err != nil || len(tasks) != 1 {
		t.Fatalf("claimed %d, %v; want the lead", len(tasks), err)
	}
	sent, err := f.BuildMessage(t.Context(), tasks[0])
	if err != nil {
		t.Fatal(err)
	}
	var message struct{ Timestamp time.Time }
	if err := json.Unmarshal(sent.Body, &message); err != nil {
		t.Fatal(err)
	}
	if message.Timestamp.Before(l.CreatedAt) {
		t.Errorf("offered at %v, and it came at %v", message.Timestamp, l.CreatedAt)
	}
}
