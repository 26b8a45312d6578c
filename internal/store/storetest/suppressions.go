package storetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/audit"
	"foyer/internal/store"
)

const somePhone = "+13055550123"

func (c Contract) suppressions(t *testing.T) {
	t.Run("a number is suppressed until it is removed", c.suppressAndBack)
	t.Run("another process's change is seen after a refresh", c.suppressElsewhere)
	t.Run("a suppressed number is known after opening again", c.suppressBefore)
	t.Run("the list is newest first, each number once", c.suppressionList)
}

func suppress(t *testing.T, s *store.Store, phone, reason string, at time.Time) {
	t.Helper()
	if _, err := Operator(s, at).Suppress(t.Context(), audit.System, phone, reason); err != nil {
		t.Fatal(err)
	}
}

func (c Contract) suppressAndBack(t *testing.T) {
	s := c.store(t)
	if s.Suppressed(somePhone) {
		t.Error("suppressed before anybody asked")
	}
	suppress(t, s, somePhone, "asked", Noon)
	if !s.Suppressed(somePhone) || s.Suppressed("+13055550124") {
		t.Error("want exactly the number that was added")
	}
	for _, want := range []bool{true, false} {
		if found, err := Operator(s, Noon).Unsuppress(t.Context(), audit.System, somePhone); err != nil || found != want {
			t.Errorf("removing it said %v (%v), want %v", found, err, want)
		}
	}
	if s.Suppressed(somePhone) {
		t.Error("still suppressed after it was removed")
	}
}

func (c Contract) suppressElsewhere(t *testing.T) {
	database := c.NewDatabase(t)
	service, elsewhere := Open(t, database), Open(t, database)
	refresh := func() bool {
		if err := service.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		return service.Suppressed(somePhone)
	}
	suppress(t, elsewhere, somePhone, "asked", Noon)
	if !refresh() {
		t.Error("the service does not know what the operator added")
	}
	if _, err := Operator(elsewhere, Noon).Unsuppress(t.Context(), audit.System, somePhone); err != nil {
		t.Fatal(err)
	}
	if refresh() {
		t.Error("the service does not know what the operator removed")
	}
}

func (c Contract) suppressBefore(t *testing.T) {
	database := c.NewDatabase(t)
	suppress(t, Open(t, database), somePhone, "asked", Noon)
	if !Open(t, database).Suppressed(somePhone) {
		t.Error("a store opened later does not know the number")
	}
}

func (c Contract) suppressionList(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	suppress(t, s, "+13055550101", "first", Noon)
	suppress(t, s, "+13055550102", "second", Noon.Add(time.Microsecond))
	suppress(t, s, "+13055550101", "another reason", Noon.Add(time.Hour))
	got, err := r.Suppressions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []store.Suppression{
		{Phone: "+13055550102", Reason: "second", CreatedAt: Noon.Add(time.Microsecond)},
		{Phone: "+13055550101", Reason: "another reason", CreatedAt: Noon},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the list differs (-want +got):\n%s", diff)
	}
}
