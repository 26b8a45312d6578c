package seed_test

import (
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"foyer/bench/seed"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/test/postgres"
)

const leads = 4000

var now = time.Date(2026, time.November, 15, 12, 0, 0, 0, time.UTC)

// TestFill checks a store on each engine.
func TestFill(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) { checkStore(t, seeded(t, "sqlite:"+filepath.Join(t.TempDir(), "foyer.db"))) })
	t.Run("PostgreSQL", func(t *testing.T) { checkStore(t, seeded(t, postgres.Shared(t).Database(t))) })
}

func checkStore(t *testing.T, database string) {
	t.Run("is read like any other", func(t *testing.T) { checkLeads(t, database) })
	t.Run("has leads with a past", func(t *testing.T) { checkHistory(t, database) })
	t.Run("is at rest", func(t *testing.T) { checkNothingDue(t, database) })
}

func seeded(t *testing.T, database string) string {
	t.Helper()
	if err := seed.Fill(t.Context(), database, leads, now); err != nil {
		t.Fatal(err)
	}
	return database
}

// checkLeads checks the share of each status, in percent.
func checkLeads(t *testing.T, database string) {
	r := storetest.OpenReader(t, database)
	all, err := r.Newest(t.Context(), 2*leads)
	if err != nil || len(all) != leads {
		t.Fatalf("%d leads, %v", len(all), err)
	}
	count := make(map[lead.Status]int)
	for i, l := range all {
		count[l.Status]++
		if i > 0 && l.CreatedAt.After(all[i-1].CreatedAt) || l.CreatedAt.After(now) {
			t.Errorf("%s was taken in at %v, out of order", l.ID, l.CreatedAt)
		}
		if l.Request.Service.Live() != (l.Status == lead.CallToConnect) {
			t.Errorf("%s for %s is %s", l.ID, l.Request.Service, l.Status)
		}
	}
	for status, want := range map[lead.Status][2]int{
		lead.Forwarded: {57, 65}, lead.Collected: {19, 25}, lead.CallToConnect: {8, 12}, lead.Rejected: {4, 7}, lead.Errored: {1, 3}, lead.Received: {0, 2},
	} {
		if share := 100 * count[status] / leads; count[status] == 0 || share < want[0] || share > want[1] {
			t.Errorf("%d %% are %s, want %d to %d", share, status, want[0], want[1])
		}
		if list, err := r.Newest(t.Context(), leads, status); err != nil || len(list) != count[status] {
			t.Errorf("%d are listed as %s, want %d: %v", len(list), status, count[status], err)
		}
	}
}

// checkHistory reads a forwarded lead as an operator would.
func checkHistory(t *testing.T, database string) {
	r := storetest.OpenReader(t, database)
	list, err := r.Newest(t.Context(), 1, lead.Forwarded)
	if err != nil || len(list) != 1 {
		t.Fatalf("%d leads, %v", len(list), err)
	}
	l := list[0]
	history, err := r.History(t.Context(), l.ID)
	if err != nil || len(history) != 1 || history[0].Status != lead.Forwarded {
		t.Errorf("its history is %v, %v", history, err)
	}
	offers, err := r.Offered(t.Context(), l.ID)
	if err != nil || len(offers) == 0 || offers[0].BuyerName == "" {
		t.Errorf("its offers are %v, %v", offers, err)
	}
	if attempts, err := r.Attempts(t.Context(), l.ID); err != nil || len(attempts) < 2 {
		t.Errorf("its attempts are %v, %v", attempts, err)
	}
	if text, err := r.ConsentText(t.Context(), l.Evidence.Consent.Hash); err != nil || text == "" {
		t.Errorf("it agreed to %q, %v", text, err)
	}
}

// checkNothingDue checks that a service that starts here has no backlog, which would be measured, too.
func checkNothingDue(t *testing.T, database string) {
	s, err := store.Open(t.Context(), database, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if closed, err := storetest.Job(t, s).CloseHeld(t.Context(), now.Add(-30*24*time.Hour), lead.Change{At: now, Status: lead.Rejected, Actor: lead.ByService}); closed != 0 || err != nil {
		t.Errorf("%d were held for too long, %v", closed, err)
	}
	if pending, err := s.Pending(t.Context(), now); len(pending.Queues) != 0 || err != nil {
		t.Errorf("%v are due, %v", pending.Queues, err)
	}
	l := storetest.Lead("lead_next")
	storetest.Save(t, s, l)
	if got, err := s.LeadSummary(t.Context(), l.ID); err != nil || got.Status != lead.Collected {
		t.Errorf("the next lead is %v, %v", got, err)
	}
}
