package storetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/store"
)

// queueStart looks for what is pending, which lets later scans of the queue begin where this one found something. What is added after
// that is found at once; what is added far below, by a process whose clock is slow, is found ten seconds later, by the next full scan.
func (c Contract) queueStart(t *testing.T) {
	s := c.store(t)
	pending := func(at time.Time) store.Pending {
		t.Helper()
		p, err := s.Pending(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	update(t, s, func(tx *store.Tx) error { return tx.PutBuyer(Buyer("buyer_1")) })
	if pending(Noon).NeedBuyer {
		t.Fatal("there is nothing, and something needs a buyer")
	}
	late := received(t, s, "lead_late", Noon.Add(-time.Hour)) // accepted an hour ago by a clock that is slow
	if !pending(Noon.Add(time.Second)).NeedBuyer {
		t.Error("a new lead is not found")
	}
	if got := due(t, s, "", Noon.Add(time.Second), 10); !cmp.Equal(got, []int64{late}) {
		t.Errorf("due are %v", got)
	}
	for _, tc := range []struct {
		queue string
		due   time.Time
		found time.Duration // after noon
	}{
		{"", Noon, 2 * time.Second},
		{"", Noon.Add(-5 * time.Second), 2 * time.Second},
		{"buyer_1", Noon, 2 * time.Second},
		{"", Noon.Add(-time.Hour), 11 * time.Second},
		{"buyer_1", Noon.Add(-time.Hour), 11 * time.Second},
		{"buyer_gone", Noon, 11 * time.Second},
	} {
		d := deliveryOf(t, s, late)
		d.BuyerQueue, d.DueAt = tc.queue, Noon.Add(time.Hour)
		update(t, s, func(tx *store.Tx) error { return tx.PutDelivery(d) })
		pending(Noon.Add(time.Minute)) // nothing is due, and the scan begins just before now
		pending(Noon)
		d.DueAt = tc.due
		update(t, s, func(tx *store.Tx) error { return tx.PutDelivery(d) })
		at := Noon.Add(tc.found)
		if p := pending(at); tc.queue == "" && !p.NeedBuyer || tc.queue != "" && !cmp.Equal(p.Queues, []string{tc.queue}) {
			t.Errorf("queue %q, due at %v: at %v there is %+v", tc.queue, tc.due, at, p)
		}
		if got := due(t, s, tc.queue, at, 10); !cmp.Equal(got, []int64{late}) {
			t.Errorf("queue %q, due at %v: due are %v", tc.queue, tc.due, got)
		}
	}
}
