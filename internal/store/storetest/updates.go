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
	t.Run("a rollback covers what was read back", c.updateRolledBack)
	t.Run("a lead with another status stays, and the rest is rolled back", c.updateOfChangedStatus)
	t.Run("an ignored error does not lose writes silently", c.updateIgnoresError)
	t.Run("of many concurrent updates, those that fail fail alone", c.updatesFailAlone)
}

var errChangedMind = errors.New("a change of mind")

// someBuyer is a buyer with nothing but an id.
func someBuyer(id string) buyer.Buyer { return buyer.Buyer{ID: id, CreatedAt: Noon, UpdatedAt: Noon} }

// someOffer is an open offer to buyer_1.
func someOffer(id string) buyer.Offer {
	return buyer.Offer{ID: id, Buyer: "buyer_1", At: Noon, State: buyer.OfferOpen}
}

// wantBuyers fails the test unless these are all buyers.
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

// updateRolledBack reads between its writes: an engine that batches writes has sent them by then.
func (c Contract) updateRolledBack(t *testing.T) {
	s := c.store(t)
	seq := received(t, s, "lead_1", Noon)
	for range 3 {
		err := s.Update(t.Context(), func(tx *store.Tx) error {
			if err := errors.Join(tx.PutBuyer(someBuyer("buyer_1")), tx.PutHealth("buyer_1", buyer.Health{Failures: 7}), tx.EndDelivery(seq)); err != nil {
				return err
			}
			if _, err := tx.Buyer("buyer_1"); err != nil {
				return err
			}
			if _, found, err := tx.Delivery(seq); err != nil || found {
				return fmt.Errorf("a delivery that was ended was found: %v, %w", found, err)
			}
			return errChangedMind
		})
		if !errors.Is(err, errChangedMind) {
			t.Errorf("got %v", err)
		}
	}
	update(t, s, func(tx *store.Tx) error { return tx.PutBuyer(someBuyer("buyer_2")) })
	wantBuyers(t, s, "buyer_2")
	deliveryOf(t, s, seq)
	update(t, s, func(tx *store.Tx) error {
		got, err := tx.Health("buyer_1")
		if got != (buyer.Health{}) {
			t.Errorf("health that was rolled back: %+v", got)
		}
		return err
	})
}

// updateOfChangedStatus lets the error appear immediately, with the next query, or only at the commit.
func (c Contract) updateOfChangedStatus(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	Save(t, s, Lead("lead_held"))
	change := lead.Change{At: Noon, Status: lead.Forwarded, Actor: lead.ByService, Reason: "acknowledged"}
	for name, then := range map[string]func(tx *store.Tx) error{
		"at the end":             func(*store.Tx) error { return nil },
		"with the next question": func(tx *store.Tx) error { _, err := tx.LeadOf("lead_held"); return err },
		"after further writes":   func(tx *store.Tx) error { return tx.PutHealth("buyer_1", buyer.Health{}) },
	} {
		err := s.Update(t.Context(), func(tx *store.Tx) error {
			seq, err := tx.LeadOf("lead_held")
			if err := errors.Join(err, tx.PutBuyer(someBuyer("buyer_1"))); err != nil {
				return err
			}
			if err := tx.Change(seq, lead.Received, change); err != nil {
				return err
			}
			return then(tx)
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

// updateIgnoresError continues after a statement that failed. An engine may commit the rest or roll it back, but must say which.
func (c Contract) updateIgnoresError(t *testing.T) {
	s := c.store(t)
	update(t, s, func(tx *store.Tx) error { return tx.AddOffer(someOffer("offer_taken")) })
	err := s.Update(t.Context(), func(tx *store.Tx) error {
		_ = tx.PutBuyer(someBuyer("buyer_1"))
		_ = tx.AddOffer(someOffer("offer_taken"))
		_, _ = tx.Buyer("buyer_1")
		return nil
	})
	if err == nil {
		wantBuyers(t, s, "buyer_1")
	} else {
		wantBuyers(t, s)
	}
}

// updatesFailAlone runs updates that return an error, or insert a row that exists already, among others.
func (c Contract) updatesFailAlone(t *testing.T) {
	s := c.store(t)
	update(t, s, func(tx *store.Tx) error { return tx.AddOffer(someOffer("offer_taken")) })
	const updates = 60
	succeeds := func(i int) bool { return i%5 != 1 && i%5 != 2 }
	outcomes := make([]error, updates)
	var all sync.WaitGroup
	for i := range updates {
		all.Go(func() {
			outcomes[i] = s.Update(t.Context(), func(tx *store.Tx) error {
				id := fmt.Sprint("offer_", i)
				if i%5 == 1 {
					id = "offer_taken"
				}
				if err := tx.AddOffer(someOffer(id)); err != nil || i%5 != 2 {
					return err
				}
				return errChangedMind
			})
		})
	}
	all.Wait()
	update(t, s, func(tx *store.Tx) error {
		for i, outcome := range outcomes {
			_, found, err := tx.Offer(fmt.Sprint("offer_", i))
			if err != nil {
				return err
			}
			if found != succeeds(i) || (outcome == nil) != succeeds(i) {
				t.Errorf("update %d returned %v; its offer was found: %v", i, outcome, found)
			}
		}
		used, err := tx.Used("buyer_1", buyer.Period{})
		if want := 1 + updates*3/5; used.Leads != want {
			t.Errorf("%d offers count, want %d", used, want)
		}
		return err
	})
}
