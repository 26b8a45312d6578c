package lead_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
)

var noon = time.Date(2027, time.March, 15, 12, 0, 0, 0, time.UTC)

func requestFor(s lead.Service) *lead.Request {
	return &lead.Request{Job: lead.Job{Service: s, ZIP: "33139"}, Contact: lead.Contact{Name: "Pat Example", Phone: "+13055550123"}}
}

// TestStatusAtIntake checks the status of every service, for dry runs and real requests, covered or not.
func TestStatusAtIntake(t *testing.T) {
	type circumstances struct{ dry, covered bool }
	requestForm := map[circumstances]lead.Status{
		{dry: false, covered: false}: "collected",
		{dry: false, covered: true}:  "received",
		{dry: true, covered: false}:  "validated",
		{dry: true, covered: true}:   "validated",
	}
	for _, s := range lead.Services {
		for c, want := range requestForm {
			if s == lead.Plumbing {
				want = "call_to_connect"
			}
			t.Run(fmt.Sprintf("%s %+v", s, c), func(t *testing.T) {
				req := requestFor(s)
				req.DryRun = c.dry
				offered := want == "validated" && c.covered
				if diff := cmp.Diff(lead.Decision{Status: want, Offered: offered}, lead.Decide(req, c.covered, noon)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

// TestPastDate checks that a date is past only once it is past in American Samoa, eleven hours behind UTC.
func TestPastDate(t *testing.T) {
	for _, c := range []struct {
		name string
		date string
		now  time.Time
		past bool
	}{
		{"none", "", noon, false},
		{"today", "2027-03-15", noon, false},
		{"tomorrow", "2027-03-16", noon, false},
		{"yesterday", "2027-03-14", noon, true},
		{"last century", "1999-12-31", noon, true},
		{"yesterday in UTC, still today in Samoa", "2027-03-14", time.Date(2027, 3, 15, 10, 59, 59, 0, time.UTC), false},
		{"yesterday in Samoa too", "2027-03-14", time.Date(2027, 3, 15, 11, 0, 0, 0, time.UTC), true},
		{"the clock's own zone does not matter", "2027-03-14", time.Date(2027, 3, 15, 19, 59, 0, 0, time.FixedZone("", 9*60*60)), false},
		{"over the end of a year", "2026-12-31", time.Date(2027, 1, 1, 10, 0, 0, 0, time.UTC), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			req := requestFor(lead.HVAC)
			req.PreferredDate = c.date
			var want []lead.Mark
			if c.past {
				want = []lead.Mark{"date_past"}
			}
			if diff := cmp.Diff(want, lead.Decide(req, false, c.now).Marks); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestImplausiblePhone checks the rule: area code and exchange begin with 2-9, and the area code is in use.
func TestImplausiblePhone(t *testing.T) {
	for phone, plausible := range map[string]bool{
		"+13055550123": true,
		"+12125550123": true,
		"+17875550123": true, // Puerto Rico
		"+18005550199": true, // toll-free
		"+10000000000": false,
		"+11235550123": false, // area code begins with 1
		"+13051550123": false, // exchange begins with 1
		"+13050550123": false, // exchange begins with 0
		"+15555550123": false, // area code not in use
		"+12115550123": false, // a service code
	} {
		req := requestFor(lead.Handyman)
		req.Contact.Phone = phone
		var want []lead.Mark
		if !plausible {
			want = []lead.Mark{"phone_implausible"}
		}
		if diff := cmp.Diff(want, lead.Decide(req, true, noon).Marks); diff != "" {
			t.Errorf("%s (-want +got):\n%s", phone, diff)
		}
	}
}

// TestFictionalPhone checks which numbers no person can have. Too few is no harm; one too many would be.
func TestFictionalPhone(t *testing.T) {
	for phone, fictional := range map[string]bool{
		"+13055550100":  true,
		"+13055550123":  true,
		"+12125550199":  true,
		"+11115550123":  true, // there is no such area code either
		"+13055550099":  false,
		"+13055550200":  false,
		"+13055551123":  false,
		"+13055540123":  false,
		"+15550123456":  false,
		"+18005550199":  false, // toll-free: only this one is reserved, and the others are in use
		"+18885550123":  false,
		"+18335550123":  false,
		"+18135550123":  true, // Tampa
		"3055550123":    false,
		"+443055550123": false,
		"+130555501234": false,
		"+1305555012":   false,
		"+1305555012x":  false,
		"":              false,
	} {
		if got := lead.FictionalPhone(phone); got != fictional {
			t.Errorf("%s: %v", phone, got)
		}
	}
}

func TestMarkedRequestsAreAccepted(t *testing.T) {
	for _, s := range lead.Services {
		req := requestFor(s)
		req.Contact.Phone, req.PreferredDate = "+10000000000", "1999-12-31"
		plain := lead.Decide(requestFor(s), true, noon)
		marked := lead.Decide(req, true, noon)
		if marked.Status != plain.Status || len(marked.Marks) != 2 {
			t.Errorf("%s: %+v, without marks %+v", s, marked, plain)
		}
	}
}
