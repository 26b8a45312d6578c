package store_test

import (
	"strings"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// A service that a copy could not see takes nothing more when it looks around, which it does every second.
func TestServiceNoticesMove(t *testing.T) {
	t.Parallel()
	betweenEngines(t, 3, func(t *testing.T, from, to string) {
		s := storetest.Open(t, from) // it has not said that it is there
		mustCopy(t, from, to)
		if err := s.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := s.SaveLead(t.Context(), new(consentedLead("lead_late", lead.Collected)), nil, noon); storetest.KindOf(err) != lead.Unavailable {
			t.Errorf("a lead that nobody would find: %v", err)
		}
		if err := s.Ping(t.Context()); storetest.KindOf(err) != lead.Unavailable {
			t.Errorf("it says that it is well: %v", err)
		}
		if _, err := store.Reopen(t.Context(), from); err != nil {
			t.Fatal(err)
		}
		if err := s.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		storetest.Save(t, s, consentedLead("lead_after", lead.Collected))
	})
}

// A command that was opened before a copy, and writes after it, is told that the database has moved.
func TestCommandNoticesMove(t *testing.T) {
	t.Parallel()
	betweenEngines(t, 3, func(t *testing.T, from, to string) {
		s, err := store.OpenExisting(t.Context(), from, discard)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		mustCopy(t, from, to)
		if err := s.Suppress(t.Context(), store.Suppression{Phone: "+13055550123", Reason: "asked to", CreatedAt: noon}); err == nil || !strings.Contains(err.Error(), "moved to "+store.Redacted(to)) {
			t.Errorf("a number that is suppressed where nobody looks: %v", err)
		}
		wantSame(t, from, to)
	})
}
