package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
	"foyer/internal/store"
)

// intakeCase is one entry of testdata/cases.json: a change to a good request, and its outcome via JSON, form and MCP.
type intakeCase struct {
	Name    string         `json:"name"`
	With    map[string]any `json:"with"`
	Without []string       `json:"without"`
	Twice   map[string]any `json:"twice"` // members given a second time
	Doors   []string       `json:"doors"` // all three if none is named
	Verdict string         `json:"verdict"`
	Fields  []string       `json:"fields"`
	Keeps   map[string]any `json:"keeps"`
}

var goodRequest = map[string]any{
	"service_type": "house_cleaning", "zip_code": "33139", "customer_name": "Pat Example",
	"customer_phone": "305-555-0123", "consent_to_contact": true,
}

// outcome is a response in terms that JSON, form and MCP share.
type outcome struct {
	Verdict string // a status, or an error's code
	Fields  []string
	LeadID  string
}

// TestJSONFormAndMCPAgree sends one file of cases via JSON, form and MCP, whose outcomes must agree.
func TestJSONFormAndMCPAgree(t *testing.T) {
	text, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []intakeCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	s := start(t, "--rate-limit", "off")
	s.suppress(t, "+13055550177")
	waitUntilSuppressed(t, s)
	reader := s.reader(t)
	senders := map[string]func(*testing.T, intakeCase) outcome{"json": s.viaJSON, "form": s.viaForm, "mcp": s.viaMCP}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			for name, send := range senders {
				if c.Doors != nil && !slices.Contains(c.Doors, name) {
					continue
				}
				before := newestLead(t, reader)
				got := send(t, c)
				want := outcome{Verdict: c.Verdict, Fields: slices.Sorted(slices.Values(c.Fields)), LeadID: got.LeadID}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
				checkStored(t, name, before, newestLead(t, reader), c, got)
			}
		})
	}
}

// members returns the request of a case in a stable order, with the members given twice at the end.
func (c intakeCase) members() [][2]any {
	request := maps.Clone(goodRequest)
	maps.Copy(request, c.With)
	for _, name := range c.Without {
		delete(request, name)
	}
	var members [][2]any
	for _, part := range []map[string]any{request, c.Twice} {
		for _, name := range slices.Sorted(maps.Keys(part)) {
			members = append(members, [2]any{name, part[name]})
		}
	}
	return members
}

func (c intakeCase) asJSON() string {
	var parts []string
	for _, m := range c.members() {
		value, _ := json.Marshal(m[1])
		parts = append(parts, fmt.Sprintf("%q:%s", m[0], value))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func (s *service) viaJSON(t *testing.T, c intakeCase) outcome {
	r := s.send(t, http.MethodPost, "/v1/intake", c.asJSON(), "Content-Type", "application/json")
	return parseOutcome(t, r.body)
}

// viaForm asks for JSON, so that the response can be compared; what browsers get is tested elsewhere.
func (s *service) viaForm(t *testing.T, c intakeCase) outcome {
	var pairs []string
	for _, m := range c.members() {
		if m[1] == nil {
			continue
		}
		text, isText := m[1].(string)
		if !isText {
			number, _ := json.Marshal(m[1])
			text = string(number)
		}
		pairs = append(pairs, url.QueryEscape(m[0].(string))+"="+url.QueryEscape(text))
	}
	r := s.send(t, http.MethodPost, "/v1/intake", strings.Join(pairs, "&"),
		"Content-Type", "application/x-www-form-urlencoded", "Accept", "application/json")
	return parseOutcome(t, r.body)
}

func (s *service) viaMCP(t *testing.T, c intakeCase) outcome {
	r := s.send(t, http.MethodPost, "/mcp",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"request_home_service","arguments":`+c.asJSON()+`}}`,
		"Content-Type", "application/json", "Accept", "application/json, text/event-stream", "MCP-Protocol-Version", "2025-11-25")
	var answer struct {
		Result struct {
			StructuredContent struct{ Result string }
			IsError           bool
		}
	}
	if err := json.Unmarshal(r.body, &answer); err != nil {
		t.Fatalf("%v in %s", err, r.body)
	}
	got := parseOutcome(t, []byte(answer.Result.StructuredContent.Result))
	if answer.Result.IsError != (got.LeadID == "") {
		t.Errorf("isError is %v for %s", answer.Result.IsError, r.body)
	}
	return got
}

func parseOutcome(t *testing.T, body []byte) outcome {
	t.Helper()
	var b struct {
		LeadID string `json:"lead_id"`
		Status string
		Error  string
		Fields map[string]string
	}
	if err := json.Unmarshal(body, &b); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return outcome{Verdict: b.Status + b.Error, Fields: slices.Sorted(maps.Keys(b.Fields)), LeadID: b.LeadID}
}

// newestLead returns the lead that was stored last.
func newestLead(t *testing.T, reader *store.Reader) lead.Lead {
	t.Helper()
	list, err := reader.Newest(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return append(list, lead.Lead{})[0]
}

// checkStored checks the database: an accepted lead is stored as it should be, a refused request or a dry run is not.
func checkStored(t *testing.T, sender string, before, after lead.Lead, c intakeCase, got outcome) {
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
func waitUntilSuppressed(t *testing.T, s *service) {
	t.Helper()
	probe := intakeCase{With: map[string]any{"customer_phone": "305-555-0177"}} // a dry run would not show it
	for deadline := time.Now().Add(2 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if s.viaJSON(t, probe).Verdict == "rejected" {
			return
		}
	}
	t.Fatal("a suppressed number was not known within two seconds")
}
