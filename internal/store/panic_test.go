package store_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// panics are updates that panic: before any statement, after a write, and after a read.
var panics = map[string]func(tx *store.Tx) error{
	"at once": func(*store.Tx) error { panic("Pat Example, 305-555-0123") },
	"after it wrote": func(tx *store.Tx) error {
		if err := tx.PutBuyer(storetest.Buyer("buyer_half")); err != nil {
			return err
		}
		var none []int
		return fmt.Errorf("%d", none[len("x")])
	},
	"after it read": func(tx *store.Tx) error {
		if _, err := tx.Health("buyer_half"); err != nil {
			return err
		}
		var none *buyer.Buyer
		return fmt.Errorf("%s", none.ID)
	},
}

// TestAPanicEndsItsTransactionOnly lets an update in a group panic: nothing of that update is committed, all others are, and the
// log says once where it happened, without the panic value.
func TestAPanicEndsItsTransactionOnly(t *testing.T) {
	storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		for name, panicking := range panics {
			t.Run(name, func(t *testing.T) {
				database := newDatabase(t)
				s, logText := openWithLog(t, database)
				release := s.Hold()
				var all sync.WaitGroup
				for i := range 6 {
					all.Go(func() {
						if err := s.Update(t.Context(), func(tx *store.Tx) error { return tx.PutBuyer(storetest.Buyer(fmt.Sprint("buyer_", i))) }); err != nil {
							t.Errorf("another update: %v", err)
						}
					})
				}
				all.Go(func() {
					if err := s.Update(t.Context(), panicking); err == nil || storetest.KindOf(err) == lead.Unavailable || strings.Contains(err.Error(), "Pat") {
						t.Errorf("it ended with %v", err)
					}
				})
				for deadline := time.Now().Add(5 * time.Second); s.WaitingUpdates() < 7 && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
				}
				release()
				all.Wait()
				if buyers, _, err := s.Buyers(t.Context()); err != nil || len(buyers) != 6 {
					t.Errorf("%d buyers, %v", len(buyers), err)
				}
				storetest.Save(t, s, storetest.Lead("lead_after"))
				if log := logText(); strings.Count(log, "panic in a transaction") != 1 || !strings.Contains(log, "panic_test.go") || strings.Contains(log, "Pat") || strings.Contains(log, "refuses") {
					t.Errorf("the log says:\n%s", log)
				}
			})
		}
	})
}

// A panic while a row is being read leaves the connection usable.
func TestAPanicOverARow(t *testing.T) {
	storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		s, logText := openWithLog(t, newDatabase(t))
		storetest.Save(t, s, storetest.Lead("lead_1"))
		if err := s.PanicOverARow(t.Context()); err == nil || storetest.KindOf(err) == lead.Unavailable {
			t.Errorf("it ended with %v", err)
		}
		if err := s.Update(t.Context(), func(tx *store.Tx) error { _, err := tx.LeadOf("lead_1"); return err }); err != nil {
			t.Errorf("the next: %v", err)
		}
		if log := logText(); strings.Contains(log, "refuses") || strings.Contains(log, "waits for the database") {
			t.Errorf("the connection was lost:\n%s", log)
		}
	})
}
