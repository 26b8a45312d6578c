package app_test

import (
	"testing"

	"foyer/internal/store/storetest"
)

// TestOnPostgreSQL runs what goes through the store once more, on the other engine. What the doors say is the same on both.
func TestOnPostgreSQL(t *testing.T) {
	storetest.Again(t, map[string]func(*testing.T){
		"doors":          TestThreeDoors,
		"keys":           TestIdempotencyKey,
		"look-up":        TestLookUp,
		"guesses":        TestGuessingIsSlowedDown,
		"limits":         TestLimits,
		"evidence":       TestEvidence,
		"errors":         TestGoldenErrors,
		"held":           TestAHeldLeadIsForwardedWhenABuyerComes,
		"hung buyer":     TestABuyerThatHangsDelaysNoOther,
		"notes":          TestNotesFollowTheBuyers,
		"returns":        TestALeadIsGivenBack,
		"wish":           TestAWishIsLeft,
		"wish overtakes": TestAWishOvertakesABuyer,
		"consent":        TestConsentStaysReadable,
		"consent of two": TestAFormOfAnotherProcess,
		"first start":    TestKeysAreMadeAtTheFirstStart,
		"other keys":     TestOtherKeysAreRefused,
		"a new key":      TestALaterVersionAddsAKey,
		"a race":         TestOneOfManyRegistersItsKeys,
		"one file":       TestManyStartWithOneFile,
		"lost keys":      TestReplacingKeys,
	})
}
