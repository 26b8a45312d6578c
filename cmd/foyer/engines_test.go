package main_test

import (
	"strings"
	"testing"

	"foyer/internal/store/storetest"
	"foyer/test/postgres"
)

// TestOnPostgreSQL repeats the commands of an operator, and the tests of what survives when the service is stopped or
// killed.
func TestOnPostgreSQL(t *testing.T) {
	storetest.RunOnPostgreSQL(t, map[string]func(*testing.T){
		"leads":         TestLeadsCommands,
		"suppression":   TestSuppressCommands,
		"erasing":       TestEraseLead,
		"closing":       TestCloseLeads,
		"alerts":        TestAlerts,
		"audit":         TestAuditCommand,
		"timeline":      TestTimelineOfLead,
		"by an offer":   TestFindLeadByOffer,
		"buyer":         TestBuyerCommands,
		"keys":          TestKeysCommands,
		"before keys":   TestDatabaseWithoutKeys,
		"two machines":  TestSecondMachine,
		"restart":       TestLeadSurvivesRestart,
		"killed":        TestKilledServiceKeepsAcceptedLeads,
		"stopping":      TestShutdownKeepsAcceptedLeads,
		"personal data": personalDataOnPostgreSQL,
	})
}

// personalDataOnPostgreSQL also checks the server's log, which quotes what the server refuses.
func personalDataOnPostgreSQL(t *testing.T) {
	TestPersonalDataStaysInDatabase(t)
	log := postgres.Shared(t).Log()
	for _, trace := range traces {
		if strings.Contains(log, trace) {
			t.Errorf("the server's log holds %q", trace)
		}
	}
}
