package store_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

func TestExists(t *testing.T) {
	t.Parallel()
	database := "sqlite:" + filepath.Join(t.TempDir(), "foyer.db")
	if exists, err := store.Exists(t.Context(), database); exists || err != nil {
		t.Errorf("before it is created: %v, %v", exists, err)
	}
	storetest.Open(t, database)
	if exists, err := store.Exists(t.Context(), database); !exists || err != nil {
		t.Errorf("after it was created: %v, %v", exists, err)
	}
	if _, err := store.Exists(t.Context(), "mysql:foyer"); err == nil {
		t.Error("no error for an unknown engine")
	}
}

// TestOperatorQueries reads the leads in error of a time range, and the offers and deliveries to a buyer.
func TestOperatorQueries(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, "sqlite:"+filepath.Join(t.TempDir(), "foyer.db"))
	for i, status := range []lead.Status{lead.Errored, lead.Errored, lead.Forwarded, lead.Errored, lead.Errored, lead.Received, lead.Received} {
		l := storetest.Lead(fmt.Sprint("lead_", i+1))
		l.Status, l.CreatedAt = status, storetest.Noon.Add(time.Duration(i)*time.Minute)
		storetest.Save(t, s, l)
	}
	var failed []int64
	err := s.View(t.Context(), func(tx *store.Tx) (err error) {
		failed, err = tx.FailedBetween(storetest.Noon.Add(time.Minute), storetest.Noon.Add(4*time.Minute))
		return err
	})
	if err != nil || !cmp.Equal(failed, []int64{2, 4}) {
		t.Errorf("in error were %v, %v", failed, err)
	}
	err = s.Update(t.Context(), func(tx *store.Tx) error {
		for seq, step := range map[int64]buyer.Step{6: buyer.StepDeliver, 7: buyer.StepOffer} {
			if err := tx.PutDelivery(buyer.Delivery{Lead: seq, BuyerQueue: "buyer_1", Step: step, DueAt: storetest.Noon, Since: storetest.Noon}); err != nil {
				return err
			}
		}
		for id, want := range map[string]int{"buyer_1": 1, "buyer_2": 0} {
			if n, err := tx.UnderWay(id, buyer.StepOffer); err != nil || n != want {
				t.Errorf("offered to %s: %d, %v", id, n, err)
			}
			if n, err := tx.UnderWay(id, buyer.StepDeliver); err != nil || n != want {
				t.Errorf("delivering to %s: %d, %v", id, n, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
