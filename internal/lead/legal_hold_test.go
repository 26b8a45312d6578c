package lead_test

import (
	"slices"
	"testing"
	"time"

	"foyer/internal/lead"
)

func TestHoldsInForce(t *testing.T) {
	now := time.Date(2026, 11, 5, 12, 0, 0, 0, time.UTC)
	list := []lead.LegalHold{{ID: "a"}, {ID: "b", RemovedAt: now}, {ID: "c"}}
	if got := lead.HoldIDs(lead.HoldsInForce(list)); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("in force are %v", got)
	}
	if got := lead.HoldIDs(lead.HoldsInForce(list[1:2])); len(got) != 0 {
		t.Errorf("in force are %v", got)
	}
}

// TestKeptOpenBy is which privacy requests a legal hold keeps open: settled, they would claim that a person is erased who is not, or lose
// how they came in.
func TestKeptOpenBy(t *testing.T) {
	const phone, other = "+13055550123", "+13055550199"
	held := []lead.HeldPerson{
		{LegalHold: lead.LegalHold{ID: "hold_1", LeadID: "lead_1"}, Phone: phone},
		{LegalHold: lead.LegalHold{ID: "hold_2", LeadID: "lead_2"}, Phone: phone},
		{LegalHold: lead.LegalHold{ID: "hold_3", LeadID: "lead_3"}}, // erased before
		{LegalHold: lead.LegalHold{ID: "hold_4", LeadID: "lead_4"}, Phone: other},
		{LegalHold: lead.LegalHold{ID: "hold_5", LeadID: "lead_1", RemovedAt: time.Unix(1, 0)}, Phone: phone},
	}
	both := []string{"hold_1", "hold_2"}
	for name, c := range map[string]struct {
		request lead.PrivacyRequest
		want    []string
	}{
		"to erase, by number":                {lead.PrivacyRequest{Kind: lead.EraseAll, Phone: phone, State: lead.PrivacyOpen}, both},
		"to erase, by reference":             {lead.PrivacyRequest{Kind: lead.EraseAll, Phone: phone, LeadID: "lead_1", State: lead.PrivacyOpen}, both},
		"to erase another lead of theirs":    {lead.PrivacyRequest{Kind: lead.EraseAll, Phone: phone, LeadID: "lead_9", State: lead.PrivacyOpen}, both},
		"to erase the lead of somebody else": {lead.PrivacyRequest{Kind: lead.EraseAll, Phone: "+13055550111", LeadID: "lead_1", State: lead.PrivacyOpen}, nil},
		"to erase, settled":                  {lead.PrivacyRequest{Kind: lead.EraseAll, LeadID: "lead_1", State: lead.PrivacyDone}, nil},
		"no more contact, by reference":      {lead.PrivacyRequest{Kind: lead.Withdraw, Phone: phone, LeadID: "lead_1", State: lead.PrivacyOpen}, nil},
		"no more contact, by number":         {lead.PrivacyRequest{Kind: lead.Withdraw, Phone: phone, State: lead.PrivacyOpen}, both},
		"no number":                          {lead.PrivacyRequest{Kind: lead.EraseAll, LeadID: "lead_3", State: lead.PrivacyOpen}, nil},
	} {
		if got := lead.HoldIDs(c.request.KeptOpenBy(held)); !slices.Equal(got, append([]string{}, c.want...)) {
			t.Errorf("%s: kept open by %v, want %v", name, got, c.want)
		}
	}
}

func TestWaitingRequests(t *testing.T) {
	const phone = "+13055550123"
	came := time.Date(2026, 11, 5, 12, 0, 0, 0, time.UTC)
	due := came.AddDate(0, 0, 45)
	open := lead.PrivacyRequest{At: came, Kind: lead.EraseAll, Phone: phone, State: lead.PrivacyOpen}
	settled := lead.PrivacyRequest{At: came, Kind: lead.EraseAll, State: lead.PrivacyDone}
	held := []lead.HeldPerson{{Phone: phone}}
	for name, c := range map[string]struct {
		request lead.PrivacyRequest
		held    []lead.HeldPerson
		now     time.Time
		want    int
	}{
		"open":                   {open, nil, came, 1},
		"overdue":                {open, nil, due.AddDate(1, 0, 0), 1},
		"kept open":              {open, held, due.Add(-time.Second), 1},
		"kept open, and overdue": {open, held, due, 0},
		"settled":                {settled, nil, came, 0},
	} {
		if got := lead.WaitingRequests([]lead.PrivacyRequest{c.request}, c.held, c.now); len(got) != c.want {
			t.Errorf("%s: %d wait", name, len(got))
		}
	}
}
