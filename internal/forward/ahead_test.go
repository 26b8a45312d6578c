package forward_test

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// A lead that was taken in by a process whose clock is ahead is offered at once, and once to each buyer, as any other.
func TestALeadFromAClockThatIsAhead(t *testing.T) {
	for _, ahead := range []time.Duration{0, 300 * time.Millisecond, time.Hour} {
		t.Run(ahead.String(), func(t *testing.T) {
			st := storetest.Open(t, storetest.Database(t))
			l := storetest.Lead("lead_1")
			l.Status, l.CreatedAt = lead.Received, time.Now().Add(ahead).UTC().Truncate(time.Microsecond)
			if err := st.Update(t.Context(), func(p *store.Tx) error { return p.PutBuyer(covering("buyer_1", l)) }); err != nil {
				t.Fatal(err)
			}
			storetest.Save(t, st, l)
			if asked := offersAbout(t, st, 700*time.Millisecond); asked != 1 {
				t.Errorf("the buyer, which is full today, was asked %d times", asked)
			}
			if l, err := st.LeadSummary(t.Context(), "lead_1"); err != nil || l.Status != lead.Collected {
				t.Errorf("the lead is %s, %v; want it held", l.Status, err)
			}
		})
	}
}

// offersAbout runs a forwarder for a while whose buyers are all full, and says how often they were asked.
func offersAbout(t *testing.T, st *store.Store, while time.Duration) int64 {
	t.Helper()
	var asked atomic.Int64
	f := alone(st)
	f.Send = func(context.Context, forward.Message) forward.Reply {
		asked.Add(1)
		return forward.Reply{Answer: buyer.Answer{Sent: true, Status: 200, Body: []byte(`{"decision":"reject","code":"cap"}`)}}
	}
	ctx, stop := context.WithTimeout(t.Context(), while)
	defer stop()
	if err := f.Start(ctx); err != nil {
		t.Fatal(err)
	}
	f.Run(ctx)
	return asked.Load()
}

// A turn waits for those of other processes before it sees anything. What came in meanwhile is not offered at a time at which it
// was not there.
func TestAnOfferIsNotOlderThanItsLead(t *testing.T) {
	st := storetest.Open(t, storetest.Database(t))
	l, began := storetest.Lead("lead_1"), storetest.Noon
	l.Status, l.CreatedAt = lead.Received, began.Add(time.Second)
	if err := st.Update(t.Context(), func(p *store.Tx) error { return p.PutBuyer(covering("buyer_1", l)) }); err != nil {
		t.Fatal(err)
	}
	storetest.Save(t, st, l)
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	var late atomic.Bool
	offered := make(chan time.Time, 1)
	f := alone(st)
	f.Now = func() time.Time {
		if late.Load() {
			return began.Add(2 * time.Second)
		}
		return began
	}
	f.Store = keptWaiting{f.Store, func() { late.Store(true) }}
	f.Send = func(_ context.Context, letter forward.Message) forward.Reply {
		var message struct{ Timestamp time.Time }
		if err := json.Unmarshal(letter.Body, &message); err != nil {
			t.Error(err)
		}
		offered <- message.Timestamp
		stop()
		return forward.Reply{}
	}
	if err := f.Start(ctx); err != nil {
		t.Fatal(err)
	}
	f.Run(ctx)
	select {
	case at := <-offered:
		if at.Before(l.CreatedAt) {
			t.Errorf("offered at %v, and it came at %v", at, l.CreatedAt)
		}
	default:
		t.Error("it was not offered")
	}
}

// keptWaiting are books that others write in before a turn sees what is due.
type keptWaiting struct {
	forward.Store
	wait func()
}

func (k keptWaiting) Update(ctx context.Context, do func(forward.Tx) error) error {
	return k.Store.Update(ctx, func(p forward.Tx) error { return do(keptPage{p, k.wait}) })
}

type keptPage struct {
	forward.Tx
	wait func()
}

func (k keptPage) Due(lane string, now time.Time, most int) ([]buyer.Delivery, error) {
	k.wait()
	return k.Tx.Due(lane, now, most)
}
