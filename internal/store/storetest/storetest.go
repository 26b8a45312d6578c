// Package storetest is the contract every engine below the store must pass: if two engines pass it, they are one engine.
//
// It tests what callers rely on, and nothing of how an engine does it.
package storetest

import (
	"errors"
	"log/slog"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/store"
)

// Contract is the suite on one engine.
type Contract struct {
	// NewDatabase makes a database with tables and without rows, and names it as the setting "database" does.
	NewDatabase func(t *testing.T) string
	// NewEmpty makes one without tables.
	NewEmpty func(t *testing.T) string
}

// Run holds an engine to the contract. Its parts run in parallel: each test has a database of its own.
func (c Contract) Run(t *testing.T) {
	part := func(name string, test func(*testing.T)) {
		t.Run(name, func(t *testing.T) { t.Parallel(); test(t) })
	}
	part("leads", c.leads)
	part("tickets", c.idempotencyKeys)
	part("suppressions", c.suppressions)
	part("consent texts", c.consentTexts)
	part("reader", c.reader)
	part("newest", c.newest)
	part("held", c.held)
	part("erase", c.erase)
	part("errands", c.deliveries)
	part("turns", c.updates)
	part("offers", c.offers)
	part("buyers", c.buyers)
	part("wishes", c.privacyRequests)
	part("keys", c.keys)
	part("texts", c.texts)
	part("volume", c.volume)
	part("together", c.together)
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

// OpenReader opens a database for looking and closes it with the test.
func OpenReader(t *testing.T, database string) *store.Reader {
	t.Helper()
	r, err := store.OpenReader(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("closing the reader: %v", err)
		}
	})
	return r
}

// KindOf is the kind of a refusal, or "" where an error is none.
func KindOf(err error) lead.Kind {
	var told *lead.Error
	if errors.As(err, &told) {
		return told.Kind
	}
	return ""
}

// Save keeps a lead without a ticket.
func Save(t *testing.T, s *store.Store, l lead.Lead) {
	t.Helper()
	if _, err := s.SaveLead(t.Context(), &l, nil, l.CreatedAt); err != nil {
		t.Fatalf("saving %s: %v", l.ID, err)
	}
}

// Find reads all of a lead, as those do who take it to a buyer.
func Find(t *testing.T, s *store.Store, id string) (l lead.Lead, err error) {
	t.Helper()
	err = s.Update(t.Context(), func(p *store.Tx) error {
		seq, err := p.SeqOf(id)
		if err != nil {
			return err
		}
		l, err = p.LeadBySeq(seq)
		return err
	})
	return l, err
}

// Keeps says whether a store has a lead.
func Keeps(t *testing.T, s *store.Store, id string) bool {
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
