package intake_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
	"foyer/internal/limit"
)

func TestLookingUpALead(t *testing.T) {
	d := newDesk(t)
	for name, o := range map[string]lead.Receipt{"held": d.submit(t, order(nil)), "plumbing": d.submit(t, plumbing(nil))} {
		t.Run(name, func(t *testing.T) {
			got, err := d.LookUp(t.Context(), client, o.LeadID)
			if err != nil {
				t.Fatal(err)
			}
			want := lead.StatusAnswer{
				LeadID: o.LeadID, Status: o.Status, Service: got.Service, ZIP: "33139", CreatedAt: noon, UpdatedAt: noon,
				Message: o.Message, NextSteps: o.NextSteps,
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the answer differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatIsNoLeadIsNotFound(t *testing.T) {
	d := newDesk(t)
	dry := d.submit(t, dryRun())
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
			standing, err := d.LookUp(t.Context(), client, id)
			mustBe(t, err, lead.NotFound, standing)
		})
	}
}

func TestWhoKeepsGuessingIdsIsSlowedDown(t *testing.T) {
	d := limited(t)
	known := d.submit(t, order(nil)).LeadID
	look := func(from netip.Addr, id string) error {
		_, err := d.LookUp(t.Context(), from, id)
		return err
	}
	for range 20 {
		if err := look(client, known); err != nil {
			t.Fatalf("looking up a lead that exists: %v", err)
		}
	}
	for range 5 {
		mustBe(t, look(client, "lead_guess"), lead.NotFound, nil)
	}
	refusal := mustBe(t, look(client, "lead_guess"), lead.RateLimited, nil)
	if refusal.Retry <= 0 || refusal.Quota == nil {
		t.Errorf("got %+v, want a time to come back and the limit", refusal)
	}
	mustBe(t, look(client, known), lead.RateLimited, nil) // right or wrong, nothing is looked up
	if err := look(netip.MustParseAddr("192.0.2.2"), known); err != nil {
		t.Errorf("another address: %v", err)
	}
	d.submit(t, order(nil)) // guesses do not use up the leads
	d.Limiter = limit.Off{}
	if err := look(client, known); err != nil {
		t.Error(err)
	}
}

func TestLookingUpInAStoreThatDoesNotAnswer(t *testing.T) {
	d := newDesk(t)
	d.close()
	standing, err := d.LookUp(t.Context(), client, "lead_1")
	mustBe(t, err, lead.Unavailable, standing)
}
