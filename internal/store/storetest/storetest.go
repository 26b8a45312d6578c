// Package storetest is the test suite that every engine of the store must pass. Callers cannot tell apart engines that pass it.
//
// It tests what callers rely on, not how an engine implements it.
package storetest

import (
	"errors"
	"log/slog"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/store"
)

// Contract is the suite for one engine.
type Contract struct {
	// NewDatabase creates a database with tables but no rows, and returns its address.
	NewDatabase func(t *testing.T) string
	// NewEmpty creates a database without tables.
	NewEmpty func(t *testing.T) string
}

// Run runs the suite. Its parts run in parallel: each test has a database of its own.
func (c Contract) Run(t *testing.T) {
	part := func(name string, test func(*testing.T)) {
		t.Run(name, func(t *testing.T) { t.Parallel(); test(t) })
	}
	part("leads", c.leads)
	part("idempotency keys", c.idempotencyKeys)
	part("suppressions", c.suppressions)
	part("consent texts", c.consentTexts)
	part("reader", c.reader)
	part("newest", c.newest)
	part("search", c.search)
	part("counts of leads", c.countsOfLeads)
	part("held", c.held)
	part("erase", c.erase)
	part("deliveries", c.deliveries)
	part("updates", c.updates)
	part("offers", c.offers)
	part("buyers", c.buyers)
	part("privacy requests", c.privacyRequests)
	part("legal holds", c.legalHolds)
	part("audit", c.audit)
	part("keys", c.keys)
	part("users", c.users)
	part("alerts", c.alerts)
	part("jobs", c.jobs)
	part("texts", c.texts)
	part("leads before a time", c.leadsBefore)
	part("together", c.Together)
}

// store opens a store on a database of its own.
func (c Contract) store(t *testing.T) *store.Store {
	t.Helper()
	return Open(t, c.NewDatabase(t))
}

// Open opens a store and closes it with the test.
func Open(t *testing.T, database string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), database, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("closing the store: %v", err)
		}
	})
	return s
}

// KindOf returns the kind of a lead.Error, or "" for any other error.
func KindOf(err error) lead.Kind {
	if refusal, ok := errors.AsType[*lead.Error](err); ok {
		return refusal.Kind
	}
	return ""
}

// Save saves a lead without an idempotency key.
func Save(t *testing.T, s *store.Store, l lead.Lead) {
	t.Helper()
	if _, err := s.SaveLead(t.Context(), &l, nil, l.CreatedAt); err != nil {
		t.Fatalf("saving %s: %v", l.ID, err)
	}
}

// Find reads a lead in full, as the forwarder does.
func Find(t *testing.T, s *store.Store, id string) (l lead.Lead, err error) {
	t.Helper()
	err = s.Update(t.Context(), func(tx *store.Tx) error {
		seq, err := tx.LeadOf(id)
		if err != nil {
			return err
		}
		l, err = tx.LeadBySeq(seq)
		return err
	})
	return l, err
}

// HasLead reports whether a store has a lead.
func HasLead(t *testing.T, s *store.Store, id string) bool {
	t.Helper()
	switch _, err := s.LeadSummary(t.Context(), id); {
	case err == nil:
		return true
	case KindOf(err) == lead.NotFound:
		return false
	default:
		t.Fatalf("looking for %s: %v", id, err)
		return false
	}
}
