package forward_test

import (
	"context"
	"path/filepath"
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
			st := storetest.Open(t, "sqlite:"+filepath.Join(t.TempDir(), "foyer.db"))
			l := storetest.Lead("lead_1")
			l.Status, l.CreatedAt = lead.Received, time.Now().Add(ahead).UTC().Truncate(time.Microsecond)
			if err := st.Turn(t.Context(), func(p *store.Page) error { return p.PutBuyer(covering("buyer_1", l)) }); err != nil {
				t.Fatal(err)
			}
			storetest.Save(t, st, l)
			if asked := offersAbout(t, st, 700*time.Millisecond); asked != 1 {
				t.Errorf("the buyer, which is full today, was asked %d times", asked)
			}
			if l, err := st.Lead(t.Context(), "lead_1"); err != nil || l.Status != lead.Collected {
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
	f.Send = func(context.Context, forward.Letter) forward.Reply {
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
