package intake_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
	"foyer/internal/limit"
)

func TestLookUp(t *testing.T) {
	f := newFixture(t)
	for name, receipt := range map[string]lead.Receipt{"held": f.submit(t, submission(nil)), "plumbing": f.submit(t, plumbing(nil))} {
		t.Run(name, func(t *testing.T) {
			got, err := f.LookUp(t.Context(), client, receipt.LeadID)
			if err != nil {
				t.Fatal(err)
			}
			want := lead.StatusAnswer{
				LeadID: receipt.LeadID, Status: receipt.Status, Service: got.Service, ZIP: "33139", CreatedAt: noon, UpdatedAt: noon,
				Message: receipt.Message, NextSteps: receipt.NextSteps,
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the answer differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLookUpNotFound(t *testing.T) {
	f := newFixture(t)
	dry := f.submit(t, dryRun())
	for name, id := range map[string]string{
		"nothing":            "",
		"unknown":            "lead_unknown",
		"a dry run":          dry.LeadID,
		"another case":       "LEAD_1",
		"much too long":      "lead_" + strings.Repeat("x", 1000),
		"something else's":   "req_1",
		"only the prefix":    "lead_",
		"what SQL would eat": "lead_' OR '1'='1",
	} {
		t.Run(name, func(t *testing.T) {
			answer, err := f.LookUp(t.Context(), client, id)
			wantKind(t, err, lead.NotFound, answer)
		})
	}
}

func TestLookUpRateLimit(t *testing.T) {
	f := newLimitedFixture(t)
	known := f.submit(t, submission(nil)).LeadID
	look := func(from netip.Addr, id string) error {
		_, err := f.LookUp(t.Context(), from, id)
		return err
	}
	for range 20 {
		if err := look(client, known); err != nil {
			t.Fatalf("looking up a lead that exists: %v", err)
		}
	}
	for range 5 {
		wantKind(t, look(client, "lead_guess"), lead.NotFound, nil)
	}
	refusal := wantKind(t, look(client, "lead_guess"), lead.RateLimited, nil)
	if refusal.Retry <= 0 || refusal.Quota == nil {
		t.Errorf("got %+v, want a time to come back and the limit", refusal)
	}
	wantKind(t, look(client, known), lead.RateLimited, nil) // even a known id is not looked up
	if err := look(netip.MustParseAddr("192.0.2.2"), known); err != nil {
		t.Errorf("another address: %v", err)
	}
	f.submit(t, submission(nil)) // look-ups do not use up the leads
	f.Limiter = limit.Off{}
	if err := look(client, known); err != nil {
		t.Error(err)
	}
}

func TestLookUpUnavailable(t *testing.T) {
	f := newFixture(t)
	f.close()
	answer, err := f.LookUp(t.Context(), client, "lead_1")
	wantKind(t, err, lead.Unavailable, answer)
}
