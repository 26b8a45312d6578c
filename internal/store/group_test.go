package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// saveAll saves leads concurrently; wait returns their errors in the same order.
func saveAll(s *store.Store, leads []lead.Lead) (wait func() []error) {
	var all sync.WaitGroup
	outcomes := make([]error, len(leads))
	for i, l := range leads {
		all.Go(func() { _, outcomes[i] = s.SaveLead(context.Background(), &l, nil, l.CreatedAt) })
	}
	return func() []error { all.Wait(); return outcomes }
}

func manyLeads(n int) []lead.Lead {
	leads := make([]lead.Lead, n)
	for i := range leads {
		leads[i] = storetest.Lead(fmt.Sprint("lead_", i))
	}
	return leads
}

func TestManySavesAtOnceAreAllKept(t *testing.T) {
	s := storetest.Open(t, storetest.Database(t))
	leads := manyLeads(200)
	for i, err := range saveAll(s, leads)() {
		if err != nil || !storetest.HasLead(t, s, leads[i].ID) {
			t.Errorf("lead %d was not kept: %v", i, err)
		}
	}
}

func TestFailingRowDoesNotAffectItsGroup(t *testing.T) {
	s := storetest.Open(t, storetest.Database(t))
	storetest.Save(t, s, storetest.Lead("lead_taken"))
	leads := manyLeads(2*store.BatchSize + 5)
	const taken = store.BatchSize + 7 // in the second statement: the first has succeeded
	leads[taken].ID = "lead_taken"

	release := s.Hold()
	outcomes := saveAll(s, leads)
	storetest.Eventually(t, "all wait together", func() bool { return s.WaitingSaves() == len(leads) })
	release()

	for i, err := range outcomes() {
		switch {
		case i == taken && (err == nil || storetest.KindOf(err) != ""):
			t.Errorf("the row that fails: got %v, want an error that is a bug", err)
		case i != taken && (err != nil || !storetest.HasLead(t, s, leads[i].ID)):
			t.Errorf("lead %d of the same group was not saved: %v", i, err)
		}
	}
}

// A lead that waited for too long is refused, and not saved afterwards. Work that no client waits for is done all the same.
func TestLeadThatWaitedTooLongIsRefused(t *testing.T) {
	s := storetest.Open(t, storetest.Database(t))
	release := s.Hold()
	l, updated := storetest.Lead("lead_late"), make(chan error, 1)
	outcomes := saveAll(s, []lead.Lead{l})
	go func() { updated <- s.Update(context.Background(), func(*store.Tx) error { return nil }) }()
	storetest.Eventually(t, "both wait", func() bool { return s.WaitingSaves() == 2 })
	time.Sleep(2100 * time.Millisecond)
	release()
	if err := outcomes()[0]; storetest.KindOf(err) != lead.Unavailable || storetest.HasLead(t, s, l.ID) {
		t.Errorf("the lead: %v, kept: %t", err, storetest.HasLead(t, s, l.ID))
	}
	if err := <-updated; err != nil {
		t.Errorf("the update: %v", err)
	}
}

// If the disk fails halfway through a group, the whole group is refused, and no caller waits for the recovery.
func TestStorageFailureRefusesItsGroup(t *testing.T) {
	s := storetest.Open(t, storetest.Database(t))
	release := s.Hold()
	leads := manyLeads(20)
	before := saveAll(s, leads[:10])
	storetest.Eventually(t, "half of the leads wait", func() bool { return s.WaitingSaves() == 10 })
	failed := make(chan error, 1)
	go func() { failed <- s.BreakConnection(context.Background()) }()
	storetest.Eventually(t, "the row that fails waits behind them", func() bool { return s.WaitingSaves() == 11 })
	after := saveAll(s, leads[10:])
	storetest.Eventually(t, "all wait together", func() bool { return s.WaitingSaves() == 21 })
	release()

	for i, err := range append(before(), after()...) {
		if storetest.KindOf(err) != lead.Unavailable || storetest.HasLead(t, s, leads[i].ID) {
			t.Errorf("lead %d: got %v, want kind %s and nothing kept", i, err, lead.Unavailable)
		}
	}
	if err := <-failed; storetest.KindOf(err) != lead.Unavailable {
		t.Errorf("the row that failed: got %v, want kind %s", err, lead.Unavailable)
	}
}

// If two leads of such a group have the same idempotency key, the second finds the answer of the first, which is rolled back with
// the group. SaveLead must not return that answer.
func TestKeyOfRefusedGroupIsNotReplayed(t *testing.T) {
	s := storetest.Open(t, storetest.Database(t))
	release := s.Hold()
	type answer struct {
		earlier *lead.Idempotency
		err     error
	}
	answers := make(chan answer, 2)
	for i := range 2 {
		l := storetest.Lead(fmt.Sprint("lead_", i))
		go func() {
			earlier, err := s.SaveLead(context.Background(), &l, storetest.IdempotencyKey("key", "request", l.ID), storetest.Noon.Add(-time.Hour))
			answers <- answer{earlier, err}
		}()
	}
	storetest.Eventually(t, "both wait", func() bool { return s.WaitingSaves() == 2 })
	failed := make(chan error, 1)
	go func() { failed <- s.BreakConnection(context.Background()) }()
	storetest.Eventually(t, "the row that fails waits behind them", func() bool { return s.WaitingSaves() == 3 })
	release()
	for range 2 {
		if got := <-answers; got.earlier != nil || storetest.KindOf(got.err) != lead.Unavailable {
			t.Errorf("got %v and %v, want no earlier answer and kind %s", got.earlier, got.err, lead.Unavailable)
		}
	}
	<-failed
}

func TestCanceledSaveIsNotCommitted(t *testing.T) {
	s := storetest.Open(t, storetest.Database(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.SaveLead(ctx, new(storetest.Lead("lead_gone")), nil, storetest.Noon)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	if storetest.HasLead(t, s, "lead_gone") {
		t.Error("the lead was saved, but its caller did not learn of it")
	}
}

func TestAFullQueueRefusesAtOnce(t *testing.T) {
	database := storetest.Database(t)
	s := storetest.Open(t, database)
	release := storetest.HoldWriter(t, database)
	const surplus = 10
	leads := manyLeads(store.QueueLength + store.GroupSize + surplus)

	refused, outcomes := make(chan error, len(leads)), make([]error, len(leads))
	var all sync.WaitGroup
	for i, l := range leads {
		all.Go(func() {
			if _, outcomes[i] = s.SaveLead(context.Background(), &l, nil, l.CreatedAt); outcomes[i] != nil {
				refused <- outcomes[i]
			}
		})
	}
	for range surplus { // these return while the writer is still blocked
		select {
		case err := <-refused:
			if storetest.KindOf(err) != lead.Unavailable {
				t.Errorf("got %v, want kind %s", err, lead.Unavailable)
			}
		case <-time.After(storetest.EventuallyTimeout):
			t.Fatal("a save beyond the queue was not refused")
		}
	}
	release()
	all.Wait()
	kept := keptIDs(t, database)
	for i, l := range leads {
		if kept[l.ID] != (outcomes[i] == nil) {
			t.Fatalf("lead %d: kept %v, but its caller was told %v", i, kept[l.ID], outcomes[i])
		}
	}
}

func TestAClosedStoreRefuses(t *testing.T) {
	s, err := store.Open(t.Context(), storetest.Database(t), storetest.NoLog)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.SaveLead(t.Context(), new(storetest.Lead("lead_late")), nil, storetest.Noon); storetest.KindOf(err) != lead.Unavailable {
		t.Errorf("saving: got %v, want kind %s", err, lead.Unavailable)
	}
	if _, err := s.LeadSummary(t.Context(), "lead_1"); storetest.KindOf(err) != lead.Unavailable {
		t.Errorf("looking up: got %v, want kind %s", err, lead.Unavailable)
	}
}

// keptIDs returns the ids of all leads in a database.
func keptIDs(t *testing.T, database string) map[string]bool {
	t.Helper()
	kept := make(map[string]bool)
	for _, row := range rowsOf(t, database, "leads") {
		kept[row["id"]] = true
	}
	return kept
}
