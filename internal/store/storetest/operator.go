package storetest

import (
	"context"
	"testing"
	"time"

	"foyer/internal/audit"
	"foyer/internal/operator"
	"foyer/internal/store"
)

// OperatorStore adapts a store to package operator.
type OperatorStore struct{ *store.Store }

// Update runs do in a transaction.
func (s OperatorStore) Update(ctx context.Context, do func(operator.Tx) error) error {
	return s.Store.Update(ctx, func(tx *store.Tx) error { return do(tx) })
}

// UpdateUrgent runs do in a transaction, for a client that waits.
func (s OperatorStore) UpdateUrgent(ctx context.Context, do func(operator.Tx) error) error {
	return s.Store.UpdateUrgent(ctx, func(tx *store.Tx) error { return do(tx) })
}

// View runs do on a snapshot.
func (s OperatorStore) View(ctx context.Context, do func(operator.Tx) error) error {
	return s.Store.View(ctx, func(tx *store.Tx) error { return do(tx) })
}

// Operator applies an operator's rules to a store, at one time and without a key.
func Operator(s *store.Store, now time.Time) *operator.Operator {
	return &operator.Operator{Store: OperatorStore{s}, Now: func() time.Time { return now }, Suppressed: s.Suppressed}
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
