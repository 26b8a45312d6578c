package intake_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
	"foyer/internal/store/storetest"
)

func TestSubmitStatus(t *testing.T) {
	dry := fields{"dry_run": lead.Bool(true)}
	for _, tc := range []struct {
		name   string
		submit fields
		live   bool
		covers bool
		status lead.Status
		prefix string
		kept   int
	}{
		{name: "nobody covers it: held", status: lead.Collected, prefix: "lead_", kept: 1},
		{name: "a buyer covers it: to be asked", covers: true, status: lead.Received, prefix: "lead_", kept: 1},
		{name: "plumbing: the number", live: true, status: lead.CallToConnect, prefix: "lead_", kept: 1},
		{name: "plumbing never goes to a buyer", live: true, covers: true, status: lead.CallToConnect, prefix: "lead_", kept: 1},
		{name: "dry run: only checked", submit: dry, status: lead.Validated, prefix: "dry_"},
		{name: "dry run of what is covered: only checked", submit: dry, covers: true, status: lead.Validated, prefix: "dry_"},
		{name: "dry run of plumbing: the number all the same", submit: dry, live: true, status: lead.CallToConnect, prefix: "dry_"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t)
			f.Covers = func(s lead.Service, zip, phone string) bool {
				if zip != "33139" || phone != "+13055550123" {
					t.Errorf("coverage was asked for %s in %q, %q", s, zip, phone)
				}
				return tc.covers
			}
			sub := submission(tc.submit)
			if tc.live {
				sub = plumbing(tc.submit)
			}
			got := f.submit(t, sub)
			if got.Status != tc.status || !strings.HasPrefix(got.LeadID, tc.prefix) || got.DryRun != (tc.prefix == "dry_") {
				t.Errorf("got %s with status %s, dry run %v; want %s… with %s", got.LeadID, got.Status, got.DryRun, tc.prefix, tc.status)
			}
			if tc.live != (got.Call != nil && *got.Call == brand.Number) {
				t.Errorf("the number is %v, want it for plumbing only", got.Call)
			}
			f.mustKeep(t, tc.kept)
		})
	}
}

func TestSavedLead(t *testing.T) {
	f := newFixture(t)
	sub := submission(fields{
		"customer_phone": lead.Quoted("+1 (305) 555-0123"), "bedrooms": lead.Number("2"), "bathrooms": lead.Number("1.5"),
		"notes": lead.Quoted("Two cats.\r\nRing twice."), "state": lead.Quoted("fl"),
	})
	receipt := f.submit(t, sub)
	want := lead.Lead{
		ID: receipt.LeadID, Status: lead.Collected, CreatedAt: noon, UpdatedAt: noon,
		Request: lead.Request{
			Job: lead.Job{
				Service: lead.HouseCleaning, ZIP: "33139", State: "FL", Frequency: "one_time", FlexibleDates: true, Consent: true,
				Home: lead.Home{Bedrooms: new(2), Bathrooms: new(1.5)},
			}, Contact: lead.Contact{Name: "Pat Example", Phone: "+13055550123", Notes: "Two cats.\nRing twice."},
		},
		Evidence: lead.Evidence{Channel: lead.ChannelJSON, Client: "192.0.2.1", RequestID: "req_1", Consent: brand.ConsentStated().Ref()},
	}
	got, err := storetest.Find(t, f.store, receipt.LeadID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what is kept differs (-want +got):\n%s", diff)
	}
}

func TestEqualRequestsAreSeparateLeads(t *testing.T) {
	f := newFixture(t)
	if first, second := f.submit(t, submission(nil)), f.submit(t, submission(nil)); first.LeadID == second.LeadID {
		t.Errorf("both are %s", first.LeadID)
	}
	f.mustKeep(t, 2)
}

func TestPastDate(t *testing.T) {
	for _, tc := range []struct {
		date string
		now  time.Time
		past bool
	}{
		{"2026-11-04", noon, true},
		{"2026-11-05", noon, false},
		{"2026-11-05", time.Date(2026, 11, 6, 10, 59, 59, 0, time.UTC), false}, // still the 5th in American Samoa
		{"2026-11-05", time.Date(2026, 11, 6, 11, 0, 0, 0, time.UTC), true},
		{"2027-03-15", noon, false},
	} {
		t.Run(tc.date+" seen "+tc.now.Format(time.RFC3339), func(t *testing.T) {
			f := newFixture(t)
			usual := len(f.submit(t, submission(nil)).NextSteps)
			f.now = tc.now
			receipt := f.submit(t, submission(fields{"preferred_date": lead.Quoted(tc.date)}))
			last := receipt.NextSteps[len(receipt.NextSteps)-1]
			if asked := len(receipt.NextSteps) == usual+1 && strings.Contains(last, "new date"); asked != tc.past {
				t.Errorf("a new date is asked for: %v, want %v (%q)", asked, tc.past, receipt.NextSteps)
			}
			if marked := cmp.Equal(f.kept(t)[0].Marks, []lead.Mark{lead.PastDate}); marked != tc.past {
				t.Errorf("marked: %v, want %v", marked, tc.past)
			}
		})
	}
}

func TestImplausiblePhoneIsMarked(t *testing.T) {
	f := newFixture(t)
	f.submit(t, submission(fields{"customer_phone": lead.Quoted("000-555-0123")}))
	if got := f.kept(t)[0].Marks; !cmp.Equal(got, []lead.Mark{lead.ImplausiblePhone}) {
		t.Errorf("the marks are %v", got)
	}
}
