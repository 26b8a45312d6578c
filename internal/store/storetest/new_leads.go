package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/store"
)

// newLeadsAreDue checks that new leads come in order, due since their creation, between earlier and later deliveries.
func (c Contract) newLeadsAreDue(t *testing.T) {
	s := c.store(t)
	var seqs []int64
	for i := range 4 {
		seqs = append(seqs, received(t, s, fmt.Sprint("lead_", i), Noon.Add(time.Duration(i)*time.Minute)))
	}
	for seq, minute := range map[int64]int{seqs[0]: 10, seqs[3]: -1} { // these are not new
		d := deliveryOf(t, s, seq)
		d.DueAt = Noon.Add(time.Duration(minute) * time.Minute)
		d.Since = d.DueAt
		update(t, s, func(tx *store.Tx) error { return tx.PutDelivery(d) })
	}
	for limit, want := range map[int][]int64{10: {seqs[3], seqs[1], seqs[2], seqs[0]}, 2: {seqs[3], seqs[1]}, 1: {seqs[3]}} {
		if got := due(t, s, "", Noon.Add(time.Hour), limit); !cmp.Equal(got, want) {
			t.Errorf("the first %d are %v, want %v", limit, got, want)
		}
	}
	if got, want := due(t, s, "", Noon, 10), []int64{seqs[3], seqs[1], seqs[2]}; !cmp.Equal(got, want) {
		t.Errorf("where the clock is behind, due are %v, want %v: a new lead is always due", got, want)
	}
	update(t, s, func(tx *store.Tx) error {
		deliveries, err := tx.Due("", Noon, 10)
		for _, d := range deliveries {
			if d.Since.After(Noon) || d.DueAt.After(Noon) {
				t.Errorf("%+v begins after %v: an offer that is made now would not count", d, Noon)
			}
		}
		return err
	})
	update(t, s, func(tx *store.Tx) error { // PutDelivery does not bring back a delivery that was ended
		gone := buyer.Delivery{Lead: seqs[1], BuyerQueue: "buyer_1", Step: buyer.StepAsk, DueAt: Noon, Since: Noon}
		return errors.Join(tx.EndDelivery(seqs[1]), tx.PutDelivery(gone))
	})
	if got, want := due(t, s, "", Noon, 10), []int64{seqs[3], seqs[2]}; !cmp.Equal(got, want) {
		t.Errorf("when one was ended, due are %v, want %v", got, want)
	}
	if got := due(t, s, "buyer_1", Noon, 10); got != nil {
		t.Errorf("%v came back", got)
	}
}

// deliveryInBothTables has a lead in new_leads and in deliveries, which is damage. The row in deliveries wins: it says who may have
// the contact.
func (c Contract) deliveryInBothTables(t *testing.T) {
	s := c.store(t)
	both, other := received(t, s, "lead_1", Noon), received(t, s, "lead_2", Noon)
	update(t, s, func(tx *store.Tx) error { return tx.Queue(both, Noon) })
	if got, want := due(t, s, "", Noon, 10), []int64{both, other}; !cmp.Equal(got, want) {
		t.Errorf("due are %v, want %v: each once", got, want)
	}
	d := deliveryOf(t, s, both)
	d.BuyerQueue, d.Step, d.MayHaveContact = "buyer_1", buyer.StepDeliver, true
	update(t, s, func(tx *store.Tx) error { return tx.PutDelivery(d) })
	if got := deliveryOf(t, s, both); !cmp.Equal(got, d) {
		t.Errorf("its delivery is %+v, want %+v", got, d)
	}
	if got, want := due(t, s, "", Noon, 10), []int64{other}; !cmp.Equal(got, want) {
		t.Errorf("while a buyer may have one, due are %v, want %v", got, want)
	}
	for range 2 { // the row in new_leads is found after that, and deleted because the lead is no longer received
		update(t, s, func(tx *store.Tx) error { return tx.EndDelivery(both) })
	}
	if got, want := due(t, s, "", Noon, 10), []int64{other}; !cmp.Equal(got, want) {
		t.Errorf("in the end due are %v, want %v", got, want)
	}
}

// deliveryInGroup lets several updates in one transaction change the same new lead: each sees what the one before has left, in whatever
// order they come. One of them fails at first, so that all run again, one by one.
func (c Contract) deliveryInGroup(t *testing.T) {
	s := c.store(t)
	seq := received(t, s, "lead_1", Noon)
	var all sync.WaitGroup
	release := blockWriter(t, s, &all)
	const updates = 5
	for range updates {
		all.Go(func() {
			err := s.Update(t.Context(), func(tx *store.Tx) error {
				d, found, err := tx.Delivery(seq)
				if err != nil || !found || d.Attempts > 0 && d.BuyerQueue != "buyer_1" {
					t.Errorf("found %v %+v, %v", found, d, err) // also in a transaction that is rolled back
				}
				d.BuyerQueue, d.Attempts = "buyer_1", d.Attempts+1
				return tx.PutDelivery(d)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	tries := 0
	all.Go(func() {
		err := s.Update(t.Context(), func(tx *store.Tx) error {
			if tries++; tries == 1 {
				return errors.New("a change of mind")
			}
			return nil
		})
		if err != nil && tries > 1 {
			t.Error(err)
		}
	})
	time.Sleep(20 * time.Millisecond) // until all are queued: fewer make smaller groups, but no other outcome
	release()
	all.Wait()
	if d := deliveryOf(t, s, seq); d.BuyerQueue != "buyer_1" || d.Attempts != updates {
		t.Errorf("the delivery is %+v, want it with the buyer and changed %d times", d, updates)
	}
	if got := due(t, s, "", Noon, 10); got != nil {
		t.Errorf("%v is still new", got)
	}
}
