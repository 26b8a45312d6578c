package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/store/storetest"
)

func TestLeadLookup(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	id := s.ViaJSON(t, apptest.Request{With: map[string]any{"address_line": "12 Example Street", "notes": "canary"}}).LeadID
	r := s.Send(t, "GET", "/v1/leads/"+id, "")
	var status map[string]any
	if err := json.Unmarshal(r.Body, &status); err != nil || r.Status != 200 {
		t.Fatalf("got %d %s", r.Status, r.Body)
	}
	if status["lead_id"] != id || status["status"] != "collected" || status["service_type"] != "house_cleaning" || status["zip_code"] != "33139" {
		t.Errorf("got %s", r.Body)
	}
	if len(status) != 8 {
		t.Errorf("got %d members, want 8: %s", len(status), r.Body)
	}
	for _, personal := range []string{"Pat", "5550123", "Example Street", "canary"} {
		if strings.Contains(string(r.Body), personal) {
			t.Errorf("the answer holds %q", personal)
		}
	}
	dry := s.ViaJSON(t, apptest.Request{With: map[string]any{"dry_run": true}}).LeadID
	for _, unknown := range []string{dry, "lead_" + strings.Repeat("a", 26), "x", strings.Repeat("y", 500)} {
		if r := s.Send(t, "GET", "/v1/leads/"+unknown, ""); r.Status != 404 {
			t.Errorf("%.20s: got %d, want 404", unknown, r.Status)
		}
	}
}

// TestUnknownIDsAreRateLimited expects a client to get some lookups of unknown ids, and then no more.
func TestUnknownIDsAreRateLimited(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--rate-limit", "60/minute burst 120")
	for i := range 30 {
		r := s.Send(t, "GET", "/v1/leads/lead_"+strings.Repeat("a", 26), "")
		if r.Status == 429 {
			if i < 10 {
				t.Errorf("refused after %d guesses already", i)
			}
			return
		}
	}
	t.Error("thirty guesses were never refused")
}
