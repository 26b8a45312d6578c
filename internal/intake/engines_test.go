package intake_test

import (
	"testing"

	"foyer/internal/store/storetest"
)

// TestOnPostgreSQL repeats the tests that depend on the store.
func TestOnPostgreSQL(t *testing.T) {
	storetest.RunOnPostgreSQL(t, map[string]func(*testing.T){
		"saved lead":            TestSavedLead,
		"keys":                  TestIdempotencyKey,
		"free keys":             TestOnlySavedLeadsUseTheKey,
		"concurrent duplicates": TestConcurrentDuplicatesAreOneLead,
		"charges":               TestOnlySavedLeadsAreCharged,
		"look-ups":              TestLookUp,
		"unknown ids":           TestLookUpNotFound,
		"suppressed":            TestSuppressedNumber,
		"submit unavailable":    TestSubmitUnavailable,
		"look-up unavailable":   TestLookUpUnavailable,
		"canceled":              TestCanceledRequestIsNotSaved,
		"privacy requests":      TestPrivacyRequestIsSaved,
		"privacy closes lead":   TestPrivacyRequestClosesLead,
		"privacy hides number":  TestLookUpDoesNotRevealPhoneNumber,
		"privacy per day":       TestMaxPrivacyRequestsPerLead,
		"privacy unavailable":   TestPrivacyRequestUnavailable,
	})
}
