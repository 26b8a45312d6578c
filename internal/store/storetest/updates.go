package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

func (c Contract) updates(t *testing.T) {
	t.Run("what was written and read again is given up too", c.updateRolledBack)
	t.Run("a lead that stands elsewhere stays, and so does all beside it", c.updateOfChangedStatus)
	t.Run("who overlooks a failure is not told that all is well", c.updateIgnoresError)
	t.Run("of many turns at once, those that fail fail alone", c.updatesFailAlone)
}

var errChangedMind = errors.New("a change of mind")

// someBuyer is one that nothing is known of but its id.
func someBuyer(id string) buyer.Buyer { return buyer.Buyer{ID: id, CreatedAt: Noon, UpdatedAt: Noon} }

// someOffer is an open one to buyer_1.
func someOffer(id string) buyer.Offer {
	return buyer.Offer{ID: id, Buyer: "buyer_1", At: Noon, State: buyer.OfferOpen}
}

// wantBuyers wants that these are all there are.
func wantBuyers(t *testing.T, s *store.Store, want ...string) {
	t.Helper()
	buyers, _, err := s.Buyers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range buyers {
		got = append(got, b.ID)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the buyers are %v, want %v", got, want)
	}
}

// updateRolledBack reads between its writes: an engine that sends writes late has sent them by then.
func (c Contract) updateRolledBack(t *testing.T) {
	s := c.store(t)
	seq := received(t, s, "lead_1", Noon)
	for range 3 {
		err := s.Update(t.Context(), func(p *store.Tx) error {
			if err := errors.Join(p.PutBuyer(someBuyer("buyer_1")), p.PutHealth("buyer_1", buyer.Health{Failures: 7}), p.EndDelivery(seq)); err != nil {
				return err
			}
			if _, err := p.Buyer("buyer_1"); err != nil {
				return err
			}
			if _, found, err := p.Delivery(seq); err != nil || found {
				return fmt.Errorf("an errand that was ended is there: %v, %w", found, err)
			}
			return errChangedMind
		})
		if !errors.Is(err, errChangedMind) {
			t.Errorf("got %v", err)
		}
	}
	update(t, s, func(p *store.Tx) error { return p.PutBuyer(someBuyer("buyer_2")) })
	wantBuyers(t, s, "buyer_2")
	deliveryOf(t, s, seq)
	update(t, s, func(p *store.Tx) error {
		got, err := p.Health("buyer_1")
		if got != (buyer.Health{}) {
			t.Errorf("how things go with a buyer that was given up: %+v", got)
		}
		return err
	})
}

// updateOfChangedStatus has the trouble show at once, with the next question, or only at the end.
func (c Contract) updateOfChangedStatus(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	Save(t, s, Lead("lead_held"))
	change := lead.Change{At: Noon, Status: lead.Forwarded, Actor: lead.ByService, Reason: "acknowledged"}
	for name, then := range map[string]func(p *store.Tx) error{
		"at the end":             func(*store.Tx) error { return nil },
		"with the next question": func(p *store.Tx) error { _, err := p.SeqOf("lead_held"); return err },
		"after further writes":   func(p *store.Tx) error { return p.PutHealth("buyer_1", buyer.Health{}) },
	} {
		err := s.Update(t.Context(), func(p *store.Tx) error {
			seq, err := p.SeqOf("lead_held")
			if err := errors.Join(err, p.PutBuyer(someBuyer("buyer_1"))); err != nil {
				return err
			}
			if err := p.Change(seq, lead.Received, change); err != nil {
				return err
			}
			return then(p)
		})
		if err == nil || KindOf(err) != "" {
			t.Errorf("%s: got %v, want an error that is a bug", name, err)
		}
	}
	wantBuyers(t, s)
	if l, err := s.LeadSummary(t.Context(), "lead_held"); err != nil || l.Status != lead.Collected {
		t.Errorf("the lead is %s, %v", l.Status, err)
	}
	if history, err := r.History(t.Context(), "lead_held"); err != nil || len(history) != 0 {
		t.Errorf("its history is %+v, %v", history, err)
	}
}

// updateIgnoresError goes on after a statement that failed. An engine may keep the rest or give it up, but has to say which.
func (c Contract) updateIgnoresError(t *testing.T) {
	s := c.store(t)
	update(t, s, func(p *store.Tx) error { return p.AddOffer(someOffer("offer_taken")) })
	told := s.Update(t.Context(), func(p *store.Tx) error {
		_ = p.PutBuyer(someBuyer("buyer_1"))
		_ = p.AddOffer(someOffer("offer_taken"))
		_, _ = p.Buyer("buyer_1")
		return nil
	})
	if told == nil {
		wantBuyers(t, s, "buyer_1")
	} else {
		wantBuyers(t, s)
	}
}

// updatesFailAlone has turns that change their mind, and turns whose row is there already, among others.
func (c Contract) updatesFailAlone(t *testing.T) {
	s := c.store(t)
	update(t, s, func(p *store.Tx) error { return p.AddOffer(someOffer("offer_taken")) })
	const many = 60
	fine := func(i int) bool { return i%5 != 1 && i%5 != 2 }
	outcomes := make([]error, many)
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() {
			outcomes[i] = s.Update(t.Context(), func(p *store.Tx) error {
				id := fmt.Sprint("offer_", i)
				if i%5 == 1 {
					id = "offer_taken"
				}
				if err := p.AddOffer(someOffer(id)); err != nil || i%5 != 2 {
					return err
				}
				return errChangedMind
			})
		})
	}
	all.Wait()
	update(t, s, func(p *store.Tx) error {
		for i, told := range outcomes {
			_, found, err := p.Offer(fmt.Sprint("offer_", i))
			if err != nil {
				return err
			}
			if found != fine(i) || (told == nil) != fine(i) {
				t.Errorf("turn %d: it was told %v, and what it wrote is there: %v", i, told, found)
			}
		}
		used, err := p.Used("buyer_1", buyer.Period{})
		if want := 1 + many*3/5; used != want {
			t.Errorf("%d offers count, want %d", used, want)
		}
		return err
	})
}
