package app_test

import (
	"testing"

	"foyer/internal/store/storetest"
)

// TestOnPostgreSQL runs what goes through the store once more, on the other engine. What the doors say is the same on both.
func TestOnPostgreSQL(t *testing.T) {
	storetest.Again(t, map[string]func(*testing.T){
		"doors":          TestJSONFormAndMCPAgree,
		"keys":           TestIdempotencyKey,
		"look-up":        TestLeadLookup,
		"guesses":        TestUnknownIDsAreRateLimited,
		"limits":         TestRateLimits,
		"evidence":       TestEvidence,
		"errors":         TestGoldenErrors,
		"held":           TestHeldLeadIsForwardedToNewBuyer,
		"hung buyer":     TestHungBuyerDelaysNoOther,
		"notes":          TestCoverageNotesFollowBuyers,
		"returns":        TestReturnLead,
		"wish":           TestPrivacyRequest,
		"wish overtakes": TestPrivacyRequestWhileBuyerDecides,
		"consent":        TestConsentStaysReadable,
		"consent of two": TestFormOfAnotherProcess,
		"first start":    TestFirstStartCreatesKeys,
		"other keys":     TestWrongKeysAreRefused,
		"a new key":      TestNewVersionAddsKey,
		"a race":         TestConcurrentStartsRegisterOneKeySet,
		"one file":       TestConcurrentStartsShareKeyFile,
		"lost keys":      TestReplaceKeys,
	})
}
