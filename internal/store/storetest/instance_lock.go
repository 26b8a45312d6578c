package storetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/store"
)

// Alone says whether a store is the only one on its database, and has it count as there.
func Alone(t *testing.T, s *store.Store) bool {
	t.Helper()
	alone, err := s.OnlyInstance(t.Context())
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
	if !Alone(t, first) || Alone(t, second) {
		t.Error("want the first to be alone, and the second to know that it is not")
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if third := Open(t, database); Alone(t, third) { // the first comes back, and the second is still there
		t.Error("a third beside the second believes that it is alone")
	}
}

func (c Contract) releaseLeases(t *testing.T) {
	s := c.store(t)
	put := func(id, owner string, at time.Time) int64 {
		e := deliveryOf(t, s, received(t, s, id, Noon))
		e.Owner, e.DueAt, e.Token = owner, at, 5
		update(t, s, func(p *store.Tx) error { return p.PutDelivery(e) })
		return e.Lead
	}
	leased := put("lead_leased", "proc_dead", Noon.Add(buyer.Lease))
	waits := put("lead_waits", "", Noon.Add(time.Hour)) // for its next attempt: nobody has it
	now := Noon.Add(time.Second)
	if err := s.ReleaseLeases(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	if e := deliveryOf(t, s, leased); e.Owner != "proc_dead" || !e.DueAt.Equal(now) || e.Token != 5 {
		t.Errorf("what was leased is %+v", e)
	}
	if e := deliveryOf(t, s, waits); !e.DueAt.Equal(Noon.Add(time.Hour)) {
		t.Errorf("what waits for its time is due at %v", e.DueAt)
	}
	if got := due(t, s, "", now, 10); !cmp.Equal(got, []int64{leased}) {
		t.Errorf("due are %v", got)
	}
}
