package storetest

import (
	"testing"
	"time"

	"foyer/internal/audit"
	"foyer/internal/operator"
	"foyer/internal/store"
)

// Operator applies an operator's rules to a store, at one time and without a key.
func Operator(s *store.Store, now time.Time) *operator.Operator {
	return &operator.Operator{Store: s, Now: func() time.Time { return now }, Suppressed: s.Suppressed}
}

// Suppress suppresses a phone number at noon.
func Suppress(t *testing.T, s *store.Store, phone string) {
	t.Helper()
	if _, err := Operator(s, Noon).Suppress(t.Context(), audit.System, phone, "asked"); err != nil {
		t.Fatal(err)
	}
}

// Erase erases the person of a lead, as an operator does.
func Erase(t *testing.T, s *store.Store, id string) {
	t.Helper()
	if _, err := Operator(s, Noon).Erase(t.Context(), audit.CLI("ada"), id); err != nil {
		t.Fatal(err)
	}
}
