package store_test

import (
	"testing"

	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// A look sees one moment, and cannot write.
func TestView(t *testing.T) {
	t.Parallel()
	onEachEngine(t, engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		s := storetest.Open(t, newDatabase(t))
		put := func(p *store.Tx) error { return p.PutBuyer(storetest.Buyer("buyer_1")) }
		if err := s.View(t.Context(), func(p *store.Tx) error {
			if _, err := p.Buyer("buyer_1"); missing(err) != nil {
				return err
			}
			if err := s.Update(t.Context(), put); err != nil {
				return err
			}
			if _, err := p.Buyer("buyer_1"); err == nil {
				t.Error("it sees what came after it began")
			}
			if put(p) == nil {
				t.Error("it can be written on")
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
		if err := s.View(t.Context(), func(p *store.Tx) error { _, err := p.Buyer("buyer_1"); return err }); err != nil {
			t.Errorf("the next does not see what was written before: %v", err)
		}
	})
}
