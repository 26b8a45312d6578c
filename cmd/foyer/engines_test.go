package main_test

import (
	"strings"
	"testing"

	"foyer/internal/store/storetest"
	"foyer/test/postgres"
)

// TestOnPostgreSQL runs once more what an operator types, and what the program keeps when it is stopped or killed.
func TestOnPostgreSQL(t *testing.T) {
	storetest.Again(t, map[string]func(*testing.T){
		"leads":         TestLeadsOnTheCommandLine,
		"suppression":   TestSuppressionOnTheCommandLine,
		"erasing":       TestErasingALead,
		"closing":       TestClosingLeads,
		"timeline":      TestTheTimelineOfALead,
		"by an offer":   TestALeadIsFoundByAnOffer,
		"buyer":         TestABuyerOnTheCommandLine,
		"keys":          TestKeysOnTheCommandLine,
		"before keys":   TestAServiceFromBeforeKeys,
		"two machines":  TestASecondMachine,
		"restart":       TestALeadSurvivesARestart,
		"killed":        TestAKilledServiceKeepsWhatItAccepted,
		"stopping":      TestStoppingFinishesWhatWasAccepted,
		"personal data": personalDataOnPostgreSQL,
	})
}

// personalDataOnPostgreSQL looks into the server's log as well: it quotes what it refuses.
func personalDataOnPostgreSQL(t *testing.T) {
	TestPersonalDataStaysInTheDatabase(t)
	log := postgres.Shared(t).Log()
	for _, trace := range traces {
		if strings.Contains(log, trace) {
			t.Errorf("the server's log holds %q", trace)
		}
	}
}
