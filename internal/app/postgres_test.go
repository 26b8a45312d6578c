package app_test

import (
	"testing"

	"foyer/internal/store/storetest"
)

// TestOnPostgreSQL runs the tests that use the store again, on PostgreSQL. Responses are the same on both engines.
func TestOnPostgreSQL(t *testing.T) {
	storetest.RunOnPostgreSQL(t, map[string]func(*testing.T){
		"intake":           TestJSONFormAndMCPAgree,
		"limits":           TestRateLimits,
		"evidence":         TestEvidence,
		"held":             TestHeldLeadIsForwardedToNewBuyer,
		"hung buyer":       TestHungBuyerDelaysNoOther,
		"notes":            TestCoverageNotesFollowBuyers,
		"privacy":          TestPrivacyRequest,
		"privacy at buyer": TestPrivacyRequestWhileBuyerDecides,
		"consent":          TestConsentStaysReadable,
		"consent of two":   TestFormOfAnotherProcess,
		"first start":      TestFirstStartCreatesKeys,
		"other keys":       TestWrongKeysAreRefused,
		"a new key":        TestNewVersionAddsKey,
		"a race":           TestConcurrentStartsRegisterOneKeySet,
		"one file":         TestConcurrentStartsShareKeyFile,
		"lost keys":        TestReplaceKeys,
	})
}
