package app_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/app/apptest"
	"foyer/internal/lead"
	"foyer/internal/store/storetest"
)

// intakeCase is one entry of testdata/cases.json: a change to a good request, and its outcome via JSON, form and MCP.
type intakeCase struct {
	apptest.Request
	Name    string         `json:"name"`
	Doors   []string       `json:"doors"` // all three if none is named
	Verdict string         `json:"verdict"`
	Fields  []string       `json:"fields"`
	Keeps   map[string]any `json:"keeps"`
}

// TestJSONFormAndMCPAgree sends one file of cases via JSON, form and MCP, whose outcomes must agree.
func TestJSONFormAndMCPAgree(t *testing.T) {
	storetest.Parallel(t)
	text, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []intakeCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	s := apptest.Start(t, "--rate-limit", "off")
	s.Suppress(t, "+13055550177")
	waitUntilSuppressed(t, s)
	reader := s.Reader(t)
	senders := map[string]func(*testing.T, apptest.Request) apptest.Outcome{"json": s.ViaJSON, "form": s.ViaForm, "mcp": s.ViaMCP}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			for name, send := range senders {
				if c.Doors != nil && !slices.Contains(c.Doors, name) {
					continue
				}
				before := apptest.NewestLead(t, reader)
				got := send(t, c.Request)
				want := apptest.Outcome{Verdict: c.Verdict, Fields: slices.Sorted(slices.Values(c.Fields)), LeadID: got.LeadID}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
				checkStored(t, name, before, apptest.NewestLead(t, reader), c, got)
			}
		})
	}
}

// checkStored checks the database: an accepted lead is stored as it should be, a refused request or a dry run is not.
func checkStored(t *testing.T, sender string, before, after lead.Lead, c intakeCase, got apptest.Outcome) {
	t.Helper()
	if !strings.HasPrefix(got.LeadID, "lead_") {
		if before.ID != after.ID {
			t.Errorf("%s: something was stored of a request that was not accepted", sender)
		}
		return
	}
	if after.ID != got.LeadID {
		t.Fatalf("%s: the newest lead is %s, want %s", sender, after.ID, got.LeadID)
	}
	stored := storedFields(after)
	for name, want := range c.Keeps {
		if fmt.Sprint(stored[name]) != fmt.Sprint(want) {
			t.Errorf("%s: stored %s as %v, want %v", sender, name, stored[name], want)
		}
	}
}

// storedFields returns the fields of a stored lead under their public names.
func storedFields(l lead.Lead) map[string]any {
	r := l.Request
	return map[string]any{
		"service_type": r.Service, "zip_code": r.ZIP, "city": r.City, "state": r.State, "address_line": r.Contact.Street,
		"bedrooms": deref(r.Home.Bedrooms), "bathrooms": deref(r.Home.Bathrooms), "square_feet": deref(r.Home.SquareFeet),
		"home_type": r.Home.Type, "frequency": r.Frequency, "preferred_date": r.PreferredDate, "flexible_dates": r.FlexibleDates,
		"notes": r.Contact.Notes, "customer_name": r.Contact.Name, "customer_phone": r.Contact.Phone,
		"customer_email": r.Contact.Email, "consent_to_contact": r.Consent, "source_agent": r.SourceAgent,
	}
}

func deref[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

// waitUntilSuppressed waits until the running service knows of the number, which takes two seconds at most.
func waitUntilSuppressed(t *testing.T, s *apptest.Service) {
	t.Helper()
	probe := apptest.Request{With: map[string]any{"customer_phone": "305-555-0177"}} // a dry run would not show it
	for deadline := time.Now().Add(2 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if s.ViaJSON(t, probe).Verdict == "rejected" {
			return
		}
	}
	t.Fatal("a suppressed number was not known within two seconds")
}
