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
)

// unreadable are books in which one can write, but not look up who waits: a writer has a connection of its own.
type unreadable struct{ testStore }

func (unreadable) BuyerQueues(context.Context, time.Time) ([]string, error) {
	return nil, errors.New("the queue cannot be read")
}

// A lane in which something waits for a slot is looked into also while the queue cannot be read.
func TestACrowdedLaneIsNotForgotten(t *testing.T) {
	st := storetest.Open(t, storetest.Database(t))
	waitInLane(t, st, "buyer_1")
	ctx, stop := context.WithCancel(t.Context())
	sent := make(chan string, 1)
	f := alone(st)
	f.Store = unreadable{testStore{st, func() error { return nil }}}
	f.Send = func(_ context.Context, l forward.Message) forward.Reply { stop(); sent <- l.ID; return forward.Reply{} }
	f.Now = func() time.Time { return storetest.Noon.Add(time.Minute) }
	if err := f.Start(ctx); err != nil {
		t.Fatal(err)
	}
	f.Expect("buyer_1")
	defer time.AfterFunc(5*time.Second, stop).Stop()
	f.Run(ctx)
	if len(sent) == 0 {
		t.Error("nobody looked into the lane again")
	}
}

// alone is a forwarder that nothing disturbs. It cannot send.
func alone(st *store.Store) *forward.Forwarder {
	var ids atomic.Int64
	return &forward.Forwarder{
		Store:      testStore{st, func() error { return nil }},
		Suppressed: func(string) bool { return false },
		Now:        time.Now,
		NewID:      func(prefix string, _ time.Time) string { return fmt.Sprint(prefix, ids.Add(1)) },
		Chance:     func() float64 { return 0 },
		Busy:       func() bool { return false },
		Owner:      "proc_1",
		Log:        slog.New(slog.DiscardHandler),
	}
}

// covering is a buyer of what a lead asks for.
func covering(id string, l lead.Lead) buyer.Buyer {
	return buyer.Buyer{
		ID: id, State: buyer.Active, Secrets: []string{"whsec_1"}, CreatedAt: storetest.Noon, UpdatedAt: storetest.Noon,
		Terms: buyer.Terms{URL: "https://buyer.example.com/leads", Services: []lead.Service{l.Request.Service}},
	}
}

// waitInLane has a lead wait for a slot of the one buyer that covers it.
func waitInLane(t *testing.T, st *store.Store, lane string) {
	t.Helper()
	l := storetest.Lead("lead_1")
	l.Status = lead.Received
	storetest.Save(t, st, l)
	err := st.Update(t.Context(), func(p *store.Tx) error {
		seq, err := p.SeqOf(l.ID)
		if err != nil {
			return err
		}
		e, found, err := p.Delivery(seq)
		if err != nil || !found {
			return errors.Join(err, errors.New("no errand"))
		}
		e.BuyerQueue = lane
		return errors.Join(p.PutBuyer(covering(lane, l)), p.PutDelivery(e))
	})
	if err != nil {
		t.Fatal(err)
	}
}
