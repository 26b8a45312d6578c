package store_test

import (
	"testing"

	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// View reads a snapshot, and cannot write.
func TestView(t *testing.T) {
	t.Parallel()
	storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		s := storetest.Open(t, newDatabase(t))
		put := func(tx *store.Tx) error { return tx.PutBuyer(storetest.Buyer("buyer_1")) }
		if err := s.View(t.Context(), func(tx *store.Tx) error {
			if _, err := tx.Buyer("buyer_1"); missing(err) != nil {
				return err
			}
			if err := s.Update(t.Context(), put); err != nil {
				return err
			}
			if _, err := tx.Buyer("buyer_1"); err == nil {
				t.Error("it sees what came after it began")
			}
			if put(tx) == nil {
				t.Error("it can be written on")
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
		if err := s.View(t.Context(), func(tx *store.Tx) error { _, err := tx.Buyer("buyer_1"); return err }); err != nil {
			t.Errorf("the next does not see what was written before: %v", err)
		}
	})
}
