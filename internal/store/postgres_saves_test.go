package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/test/postgres"
)

// saveGroup saves leads in one group, on a new connection.
func saveGroup(t *testing.T, s *store.Store, letters []store.GroupSave) {
	t.Helper()
	if err := s.SaveGroup(t.Context(), letters); err != nil {
		t.Fatal(err)
	}
}

func groupOf(leads []lead.Lead) []store.GroupSave {
	letters := make([]store.GroupSave, len(leads))
	for i, l := range leads {
		letters[i].Lead = l
	}
	return letters
}

// A group may contain a row that fails, a caller that is gone, and a text that cannot be stored. None of them affects the other
// leads.
func TestGroupWithBadRows(t *testing.T) {
	t.Parallel()
	database := storetest.PostgreSQL(t)
	s := storetest.Open(t, database)
	storetest.Save(t, s, storetest.Lead("lead_taken"))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	letters := groupOf(manyLeads(20))
	letters[3].Lead.Status = lead.Received
	letters[7].Lead.ID = "lead_taken"
	letters[9].Context = gone
	letters[11].Lead.Request.City = "a\x00b"
	saveGroup(t, s, letters)
	for i, l := range letters {
		switch {
		case i == 7:
			if l.Err == nil || storetest.KindOf(l.Err) != "" {
				t.Errorf("the row that fails: got %v, want an error that is a bug", l.Err)
			}
		case i == 9:
			if !errors.Is(l.Err, context.Canceled) || storetest.HasLead(t, s, l.Lead.ID) {
				t.Errorf("the caller that has gone: got %v, and something may be kept", l.Err)
			}
		case i == 11:
			if storetest.KindOf(l.Err) != lead.Invalid || storetest.HasLead(t, s, l.Lead.ID) {
				t.Errorf("the text that cannot be kept: got %v, and something may be kept", l.Err)
			}
		case l.Err != nil || !storetest.HasLead(t, s, l.Lead.ID):
			t.Errorf("their neighbour %d was not kept: %v", i, l.Err)
		}
	}
	if n := storetest.QueryInt(t, openRaw(t, database), `SELECT count(*) FROM new_leads`); n != 1 {
		t.Errorf("%d leads are on their way, want the one that is received", n)
	}
}

// If no row fails, a caller that is gone and a bad text are left out of the one statement for all others.
func TestGroupWithoutFailingRow(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.PostgreSQL(t))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	letters := groupOf(manyLeads(5))
	letters[1].Context, letters[3].Lead.Request.Contact.Name = gone, "a\xffb"
	saveGroup(t, s, letters)
	for i, want := range []bool{true, false, true, false, true} {
		if kept := storetest.HasLead(t, s, letters[i].Lead.ID); kept != want || (letters[i].Err == nil) != want {
			t.Errorf("lead %d: kept %v, and told %v", i, kept, letters[i].Err)
		}
	}
}

// A group may contain several leads with one key, keys that were used before, and leads without a key.
func TestGroupWithKeys(t *testing.T) {
	t.Parallel()
	database := storetest.PostgreSQL(t)
	s := storetest.Open(t, database)
	if _, err := s.SaveLead(t.Context(), new(storetest.Lead("lead_before")), storetest.IdempotencyKey("used", "request", "before"), storetest.Noon.Add(-lead.IdempotencyWindow)); err != nil {
		t.Fatal(err)
	}
	old := storetest.Lead("lead_old")
	old.CreatedAt = storetest.Noon.Add(-lead.IdempotencyWindow)
	if _, err := s.SaveLead(t.Context(), &old, storetest.IdempotencyKey("expired", "request", "old"), old.CreatedAt.Add(-lead.IdempotencyWindow)); err != nil {
		t.Fatal(err)
	}
	letters := groupOf(manyLeads(8))
	for i, key := range []string{"twin", "used", "", "twin", "twin", "alone", "expired", ""} {
		if key != "" {
			letters[i].Idempotency = storetest.IdempotencyKey(key, "request", fmt.Sprint("answer ", i))
		}
	}
	letters[4].Idempotency.Request = "another request"
	letters[5].Lead.Status = lead.Received
	saveGroup(t, s, letters)
	for i, want := range []string{"", "before", "", "answer 0", "answer 0", "", "", ""} {
		got := ""
		if letters[i].Earlier != nil {
			got = string(letters[i].Earlier.Answer)
		}
		if letters[i].Err != nil || got != want || storetest.HasLead(t, s, letters[i].Lead.ID) != (want == "") {
			t.Errorf("lead %d: got %q and %v, want %q; kept: %v", i, got, letters[i].Err, want, storetest.HasLead(t, s, letters[i].Lead.ID))
		}
	}
	if got := letters[4].Earlier; got == nil || got.Request != "request" {
		t.Errorf("the request behind the key is %+v", got)
	}
	if n := storetest.QueryInt(t, openRaw(t, database), `SELECT count(*) FROM new_leads`); n != 1 {
		t.Errorf("%d leads are on their way, want the one that is received", n)
	}
}

// The key of a lead that could not be saved is free again, and the other keys of the group are kept.
func TestGroupFailingRowFreesItsKey(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.PostgreSQL(t))
	storetest.Save(t, s, storetest.Lead("lead_taken"))
	letters := groupOf(manyLeads(3))
	letters[1].Lead.ID = "lead_taken"
	for i := range letters {
		letters[i].Idempotency = storetest.IdempotencyKey(fmt.Sprint("key ", i), "request", fmt.Sprint("answer ", i))
	}
	saveGroup(t, s, letters)
	for i := range letters {
		found, err := s.IdempotentAnswer(t.Context(), fmt.Sprint("key ", i), storetest.Noon.Add(-lead.IdempotencyWindow))
		if err != nil || (found != nil) != (i != 1) || (letters[i].Err == nil) != (i != 1) {
			t.Errorf("key %d: %v, %v; its caller was told %v", i, found, err, letters[i].Err)
		}
	}
}

// Two groups with the same keys in a different order do not deadlock: the server would detect that after a second and fail one of
// them.
func TestGroupsDoNotDeadlock(t *testing.T) {
	t.Parallel()
	server, database := postgres.Shared(t), storetest.PostgreSQL(t)
	one, other := storetest.Open(t, database), storetest.Open(t, database)
	before := len(server.Log())
	const keys, rounds = 50, 10
	for round := range rounds {
		done := make(chan []store.GroupSave, 2)
		for p, s := range []*store.Store{one, other} {
			letters := make([]store.GroupSave, keys)
			for i := range letters {
				key := i
				if p == 1 {
					key = keys - 1 - i
				}
				letters[i] = store.GroupSave{
					Lead:        storetest.Lead(fmt.Sprint("lead_", round, "_", p, "_", i)),
					Idempotency: storetest.IdempotencyKey(fmt.Sprint("key ", round, " ", key), "request", "answer"),
				}
			}
			go func() {
				if err := s.SaveGroup(context.Background(), letters); err != nil {
					t.Error(err)
				}
				done <- letters
			}()
		}
		kept := 0
		for range 2 {
			for _, l := range <-done {
				if l.Err != nil {
					t.Fatalf("round %d: %v", round, l.Err)
				}
				if l.Earlier == nil {
					kept++
				}
			}
		}
		if kept != keys {
			t.Errorf("round %d: %d leads were kept for %d keys", round, kept, keys)
		}
	}
	if strings.Contains(server.Log()[before:], "deadlock detected") {
		t.Error("groups waited for each other")
	}
}

// Other leads do not wait for a slow commit, such as one whose key another process is claiming: the second writer continues.
func TestSlowCommitDoesNotBlock(t *testing.T) {
	t.Parallel()
	database := storetest.PostgreSQL(t)
	s := storetest.Open(t, database)
	otherTx, err := storetest.Raw(t, database).Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := otherTx.Exec(`INSERT INTO idempotency_keys (key_hash, request_hash, answer, created_at) VALUES ('key', 'request', 'answer', 0)`); err != nil {
		t.Fatal(err)
	}
	slow := make(chan error, 1)
	go func() {
		_, err := s.SaveLead(t.Context(), new(storetest.Lead("lead_slow")), storetest.IdempotencyKey("key", "request", "answer"), storetest.Noon)
		slow <- err
	}()
	for storetest.QueryInt(t, openRaw(t, database), `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 0 {
		time.Sleep(time.Millisecond)
	}
	storetest.Save(t, s, storetest.Lead("lead_quick"))
	select {
	case err := <-slow:
		t.Errorf("the quick one waited for the slow one, which got %v", err)
	default:
	}
	if err := otherTx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-slow; err != nil {
		t.Errorf("the slow one: %v", err)
	}
}

// A few clients that send one lead after another keep the writers waiting for the server all the time, but not busy. Many clients
// do.
func TestBusyOnlyUnderLoad(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.PostgreSQL(t))
	for _, few := range []int{4, 12} {
		if busyWith(t, s, few, 500*time.Millisecond) {
			t.Errorf("%d senders make it busy", few)
		}
	}
	if !busyWith(t, s, 200, 30*time.Second) { // at once, unless this machine is busy itself
		t.Error("200 senders do not make it busy")
	}
}

// busyWith saves leads from the given number of senders until the store is busy, at most for a time, and reports whether it was.
func busyWith(t *testing.T, s *store.Store, senders int, atMost time.Duration) (busy bool) {
	t.Helper()
	var all sync.WaitGroup
	var stop atomic.Bool
	for c := range senders {
		all.Go(func() {
			for i := 0; !stop.Load(); i++ {
				if _, err := s.SaveLead(t.Context(), new(storetest.Lead(fmt.Sprintf("lead_%d_%d_%d", senders, c, i))), nil, storetest.Noon); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for end := time.Now().Add(atMost); !busy && time.Now().Before(end); time.Sleep(time.Millisecond) {
		busy = s.Busy()
	}
	stop.Store(true)
	all.Wait()
	return busy
}
