package storetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/store"
)

// AcquireInstance takes the instance lock of a store, and reports whether the store is alone on its database.
func AcquireInstance(t *testing.T, s *store.Store) bool {
	t.Helper()
	alone, err := s.AcquireInstance(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return alone
}

func (c Contract) onlyInstance(t *testing.T) {
	database := c.NewDatabase(t)
	first, err := store.Open(t.Context(), database, discard)
	if err != nil {
		t.Fatal(err)
	}
	second := Open(t, database)
	if !AcquireInstance(t, first) || AcquireInstance(t, second) {
		t.Error("want the first to be alone, and the second to know that it is not")
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if third := Open(t, database); AcquireInstance(t, third) { // the first restarts while the second is still open
		t.Error("a third beside the second believes that it is alone")
	}
}

func (c Contract) releaseLeases(t *testing.T) {
	s := c.store(t)
	put := func(id, owner string, at time.Time) int64 {
		d := deliveryOf(t, s, received(t, s, id, Noon))
		d.Owner, d.DueAt, d.Token = owner, at, 5
		update(t, s, func(tx *store.Tx) error { return tx.PutDelivery(d) })
		return d.Lead
	}
	leased := put("lead_leased", "proc_dead", Noon.Add(buyer.Lease))
	waits := put("lead_waits", "", Noon.Add(time.Hour)) // for its next attempt, without a lease
	now := Noon.Add(time.Second)
	if err := s.ReleaseLeases(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	if d := deliveryOf(t, s, leased); d.Owner != "proc_dead" || !d.DueAt.Equal(now) || d.Token != 5 {
		t.Errorf("what was leased is %+v", d)
	}
	if d := deliveryOf(t, s, waits); !d.DueAt.Equal(Noon.Add(time.Hour)) {
		t.Errorf("what waits for its time is due at %v", d.DueAt)
	}
	if got := due(t, s, "", now, 10); !cmp.Equal(got, []int64{leased}) {
		t.Errorf("due are %v", got)
	}
}
