package operator_test

import (
	"testing"

	"foyer/internal/store/storetest"
)

// TestOnPostgreSQL runs once more what is written in the books, and what is read of them.
func TestOnPostgreSQL(t *testing.T) {
	storetest.Again(t, map[string]func(*testing.T){
		"changes":   TestEveryChangeIsToldAndWakesWhatIsHeld,
		"refusals":  TestWhatIsRefusedChangesNothing,
		"pausing":   TestPausingSendsWhatWaitsElsewhere,
		"removing":  TestRemovingABuyer,
		"cards":     TestACardCountsWhatWasUsed,
		"order":     TestTheOrder,
		"route":     TestTheRouteOfALead,
		"releasing": TestReleasingALead,
		"replaying": TestReplayingALead,
		"range":     TestReplayingARangeOfTime,
		"locked":    TestLeadsThatStayAsTheyAre,
		"closing":   TestClosingALead,
		"kept open": TestLeadsThatAreNotClosed,
		"whole way": TestAReplayGoesTheWholeWay,
		"waiting":   TestLookingWaitsForNobody,
		"looking":   TestATestIsMarkedAndLeavesNothing,
		"imports":   TestImportsAddOrReplace,
	})
}
