package operator_test

import (
	"errors"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
)

// TestKeyBelongsToWhoClaimedIt lets a key be forgotten by the request that claimed it, and by no other: what that changed must not happen
// twice.
func TestKeyBelongsToWhoClaimedIt(t *testing.T) {
	o, key := newTestOperator(t), lead.Idempotency{Key: "k", Request: "r"}
	first, second := o.Once(key), o.Once(key)
	if _, err := first.Sources().Add(t.Context(), ada, "Letter", entered.SourceTerms{}); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Sources().Add(t.Context(), ada, "Mail", entered.SourceTerms{}); !errors.Is(err, operator.ErrKeyUsed) {
		t.Errorf("used again: %v", err)
	}
	used := func() bool {
		t.Helper()
		use, err := o.KeyUse(t.Context(), key.Key)
		if err != nil {
			t.Fatal(err)
		}
		return use != nil
	}
	if err := second.ForgetKey(t.Context()); err != nil || !used() {
		t.Errorf("the other request forgot it: %v", err)
	}
	if err := first.ForgetKey(t.Context()); err != nil || used() {
		t.Errorf("it was not forgotten: %v", err)
	}
}
