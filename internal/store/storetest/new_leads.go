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

// newLeadsAreDue come in the order of their leads, due since these came, between what was sent on before and after.
func (c Contract) newLeadsAreDue(t *testing.T) {
	s := c.store(t)
	var seqs []int64
	for i := range 4 {
		seqs = append(seqs, received(t, s, fmt.Sprint("lead_", i), Noon.Add(time.Duration(i)*time.Minute)))
	}
	for seq, minute := range map[int64]int{seqs[0]: 10, seqs[3]: -1} { // these were looked at
		e := deliveryOf(t, s, seq)
		e.DueAt = Noon.Add(time.Duration(minute) * time.Minute)
		e.Since = e.DueAt
		update(t, s, func(p *store.Tx) error { return p.PutDelivery(e) })
	}
	for limit, want := range map[int][]int64{10: {seqs[3], seqs[1], seqs[2], seqs[0]}, 2: {seqs[3], seqs[1]}, 1: {seqs[3]}} {
		if got := due(t, s, "", Noon.Add(time.Hour), limit); !cmp.Equal(got, want) {
			t.Errorf("the first %d are %v, want %v", limit, got, want)
		}
	}
	if got, want := due(t, s, "", Noon, 10), []int64{seqs[3], seqs[1], seqs[2]}; !cmp.Equal(got, want) {
		t.Errorf("where the clock is behind, due are %v, want %v: what is fresh waits for nothing", got, want)
	}
	update(t, s, func(p *store.Tx) error {
		errands, err := p.Due("", Noon, 10)
		for _, e := range errands {
			if e.Since.After(Noon) || e.DueAt.After(Noon) {
				t.Errorf("%+v begins after %v: an offer that is made now would not count", e, Noon)
			}
		}
		return err
	})
	update(t, s, func(p *store.Tx) error { // an errand that was ended is not brought back by a word about it
		gone := buyer.Delivery{Lead: seqs[1], BuyerQueue: "buyer_1", Step: buyer.StepAsk, DueAt: Noon, Since: Noon}
		return errors.Join(p.EndDelivery(seqs[1]), p.PutDelivery(gone))
	})
	if got, want := due(t, s, "", Noon, 10), []int64{seqs[3], seqs[2]}; !cmp.Equal(got, want) {
		t.Errorf("when one was ended, due are %v, want %v", got, want)
	}
	if got := due(t, s, "buyer_1", Noon, 10); got != nil {
		t.Errorf("%v came back", got)
	}
}

// deliveryInBothTables is of a lead that stands in fresh and in deliveries, which is damage: its row in deliveries knows who may have the
// contact, and nobody else waits for it.
func (c Contract) deliveryInBothTables(t *testing.T) {
	s := c.store(t)
	both, other := received(t, s, "lead_1", Noon), received(t, s, "lead_2", Noon)
	update(t, s, func(p *store.Tx) error { return p.Queue(both, Noon) })
	if got, want := due(t, s, "", Noon, 10), []int64{both, other}; !cmp.Equal(got, want) {
		t.Errorf("due are %v, want %v: each once", got, want)
	}
	e := deliveryOf(t, s, both)
	e.BuyerQueue, e.Step, e.MayHaveContact = "buyer_1", buyer.StepDeliver, true
	update(t, s, func(p *store.Tx) error { return p.PutDelivery(e) })
	if got := deliveryOf(t, s, both); !cmp.Equal(got, e) {
		t.Errorf("its errand is %+v, want %+v", got, e)
	}
	if got, want := due(t, s, "", Noon, 10), []int64{other}; !cmp.Equal(got, want) {
		t.Errorf("while a buyer may have one, due are %v, want %v", got, want)
	}
	for range 2 { // what is left in fresh is looked at once more, and ended because the lead is received no longer
		update(t, s, func(p *store.Tx) error { return p.EndDelivery(both) })
	}
	if got, want := due(t, s, "", Noon, 10), []int64{other}; !cmp.Equal(got, want) {
		t.Errorf("in the end due are %v, want %v", got, want)
	}
}

// deliveryInGroup lets several turns in one transaction work on the same fresh lead: each finds what the one before left. One of
// them fails at first, so that all are done again, one by one.
func (c Contract) deliveryInGroup(t *testing.T) {
	s := c.store(t)
	seq := received(t, s, "lead_1", Noon)
	var all sync.WaitGroup
	later := func(do func(*store.Tx) error) {
		all.Go(func() {
			if err := s.Update(t.Context(), do); err != nil {
				t.Error(err)
			}
		})
		time.Sleep(5 * time.Millisecond) // to stand in line in this order: any other would show in the errand
	}
	goOn := blockWriter(t, s, &all)
	moves := func(from, lane string) func(*store.Tx) error {
		return func(p *store.Tx) error {
			e, found, err := p.Delivery(seq)
			if err != nil || !found || e.BuyerQueue != from {
				t.Errorf("on the way from %q to %q: found %v %+v, %v", from, lane, found, e, err) // also in a transaction that comes to nothing
			}
			e.BuyerQueue, e.Offer = lane, e.BuyerQueue
			return p.PutDelivery(e)
		}
	}
	later(moves("", "buyer_1"))
	later(moves("buyer_1", "buyer_2"))
	tries := 0
	all.Go(func() {
		err := s.Update(t.Context(), func(p *store.Tx) error {
			if tries++; tries == 1 {
				return errors.New("a change of mind")
			}
			return nil
		})
		if err != nil && tries > 1 {
			t.Error(err)
		}
	})
	goOn()
	all.Wait()
	if e := deliveryOf(t, s, seq); e.BuyerQueue != "buyer_2" || e.Offer != "buyer_1" {
		t.Errorf("the errand is %+v, want it with the second, who had it from the first", e)
	}
	if got := due(t, s, "", Noon, 10); got != nil {
		t.Errorf("%v is still fresh", got)
	}
}
