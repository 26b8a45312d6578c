package store_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// Simulated failures make the store close, reopen and check the database repeatedly, while leads are saved and read.
func TestNothingAcknowledgedIsLostByReopening(t *testing.T) {
	s := storetest.Open(t, storetest.Database(t))
	storetest.Save(t, s, storetest.Lead("lead_before"))
	var (
		all   sync.WaitGroup
		stop  atomic.Bool
		kept  [4][]string
		never [4][]string
	)
	for i := range kept {
		all.Go(func() {
			for n := 0; !stop.Load(); n++ {
				l := storetest.Lead(fmt.Sprint("lead_", i, "_", n))
				switch _, err := s.SaveLead(context.Background(), &l, nil, l.CreatedAt); storetest.KindOf(err) {
				case lead.Unavailable:
					never[i] = append(never[i], l.ID)
					time.Sleep(time.Millisecond) // a client that retries, not a flood
				default:
					if err != nil {
						t.Errorf("saving: got %v, want nothing or kind %s", err, lead.Unavailable)
						return
					}
					kept[i] = append(kept[i], l.ID)
				}
				if _, err := s.LeadSummary(context.Background(), "lead_before"); err != nil && storetest.KindOf(err) != lead.Unavailable {
					t.Errorf("looking up: got %v, want nothing or kind %s", err, lead.Unavailable)
					return
				}
			}
		})
	}
	for range 5 {
		storetest.Save(t, s, storetest.Lead("lead_between_"+rand.Text()))
		if err := s.BreakConnection(t.Context()); storetest.KindOf(err) != lead.Unavailable {
			t.Errorf("the row that failed: got %v, want kind %s", err, lead.Unavailable)
		}
		awaitRecovery(t, s)
	}
	stop.Store(true)
	all.Wait()
	if k, n := len(slices.Concat(kept[:]...)), len(slices.Concat(never[:]...)); k == 0 || n == 0 {
		t.Errorf("%d were kept and %d refused, want some of both", k, n)
	}
	for i := range kept {
		for _, id := range kept[i] {
			if !storetest.HasLead(t, s, id) {
				t.Fatalf("%s was acknowledged and is lost", id)
			}
		}
		for _, id := range never[i] {
			if storetest.HasLead(t, s, id) {
				t.Fatalf("%s was refused and is kept", id)
			}
		}
	}
}

// awaitRecovery waits until a store accepts leads again.
func awaitRecovery(t *testing.T, s *store.Store) {
	t.Helper()
	storetest.Eventually(t, "the store takes leads again", func() bool { return s.Ping(t.Context()) == nil })
}

func TestStoreRefusesWhileDown(t *testing.T) {
	s := storetest.Open(t, storetest.Database(t))
	_ = s.BreakConnection(t.Context())
	if err := s.Ping(t.Context()); storetest.KindOf(err) != lead.Unavailable {
		t.Errorf("ping: got %v, want kind %s", err, lead.Unavailable)
	}
	if _, err := s.SaveLead(t.Context(), new(storetest.Lead("lead_meanwhile")), nil, storetest.Noon); storetest.KindOf(err) != lead.Unavailable {
		t.Errorf("saving: got %v, want kind %s", err, lead.Unavailable)
	}
	awaitRecovery(t, s)
	storetest.Save(t, s, storetest.Lead("lead_after"))
}

func TestStoreCanBeClosedWhileDown(t *testing.T) {
	s, err := store.Open(t.Context(), storetest.Database(t), storetest.NoLog)
	if err != nil {
		t.Fatal(err)
	}
	_ = s.BreakConnection(t.Context())
	if err := s.Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
}
