package intake_test

import (
	"testing"

	"foyer/internal/store/storetest"
)

// TestOnPostgreSQL runs once more what leans on the store.
func TestOnPostgreSQL(t *testing.T) {
	storetest.Again(t, map[string]func(*testing.T){
		"what is kept":      TestWhatIsKept,
		"keys":              TestAKeyAndItsRequest,
		"free keys":         TestWhatWasNotKeptLeavesItsKeyFree,
		"twins":             TestTwinsInParallelAreOneLead,
		"charges":           TestOnlyKeptLeadsAreCharged,
		"look-ups":          TestLookingUpALead,
		"unknown ids":       TestWhatIsNoLeadIsNotFound,
		"suppressed":        TestASuppressedNumber,
		"no store":          TestAStoreThatCannotTakeALead,
		"no look-up":        TestLookingUpInAStoreThatDoesNotAnswer,
		"gone":              TestAClientThatLeftIsNotKept,
		"wishes":            TestAWishIsKept,
		"wishes that prove": TestAWishClosesWhatItProves,
		"wishes hide":       TestNoLookUpTellsWhetherANumberIsRight,
		"wishes a day":      TestAReferenceIsNamedThreeTimesADay,
		"wishes not kept":   TestAWishThatCannotBeKept,
	})
}
