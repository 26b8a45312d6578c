package catalog_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

func request(s lead.Service, dry bool) *lead.Request {
	return &lead.Request{Job: lead.Job{Service: s, ZIP: "33139"}, DryRun: dry, Contact: lead.Contact{Name: "Pat Example", Phone: "+13055550123"}}
}

// Only answers for plumbing carry the number and what to do with it, dry run or not.
func TestReceiptAndTheNumber(t *testing.T) {
	for _, s := range lead.Services {
		for _, dry := range []bool{false, true} {
			req := request(s, dry)
			r := brand.Receipt("lead_1", req, lead.Decide(req, false, time.Now()))
			if s != lead.Plumbing {
				if r.Call != nil || r.CallDisplay != nil || r.CallInstruction != nil {
					t.Errorf("%s carries a number", s)
				}
				continue
			}
			if *r.Call != brand.Number || *r.CallDisplay != "(800) 555-0199" || *r.CallInstruction != catalog.CallInstruction {
				t.Errorf("plumbing: %s, %s, %s", *r.Call, *r.CallDisplay, *r.CallInstruction)
			}
		}
	}
}

func TestReceiptRepeatsWhatWasDecided(t *testing.T) {
	for _, dry := range []bool{false, true} {
		r := brand.Receipt("some_id", request(lead.HVAC, dry), lead.Decision{Status: lead.Collected})
		if r.LeadID != "some_id" || r.Status != lead.Collected || r.DryRun != dry || r.PayoutHint != nil || r.Message == "" {
			t.Errorf("got %+v", r)
		}
		if found := mentions(r.NextSteps, "without dry_run"); found != dry {
			t.Errorf("dry run %t, but the steps say so: %t", dry, found)
		}
	}
}

func TestPastDateAsksForANewOne(t *testing.T) {
	for _, s := range lead.Services {
		past := brand.Receipt("lead_1", request(s, false), lead.Decision{Status: lead.Collected, Marks: []lead.Mark{lead.PastDate}})
		fine := brand.Receipt("lead_1", request(s, false), lead.Decision{Status: lead.Collected, Marks: []lead.Mark{lead.ImplausiblePhone}})
		if !mentions(past.NextSteps, "new date") || mentions(fine.NextSteps, "new date") {
			t.Errorf("%s: %v, %v", s, past.NextSteps, fine.NextSteps)
		}
	}
}

// A dry run with a past date asks for a new date first, and does not suggest sending the old one for real.
func TestDryRunWithAPastDate(t *testing.T) {
	r := brand.Receipt("dry_1", request(lead.HVAC, true), lead.Decision{Status: lead.Validated, Marks: []lead.Mark{lead.PastDate}})
	if !strings.Contains(r.NextSteps[0], "has passed") || mentions(r.NextSteps, "without dry_run") {
		t.Errorf("got %q", r.NextSteps)
	}
}

// Changing one receipt must not affect the next.
func TestReceiptsShareNoSteps(t *testing.T) {
	first := brand.Receipt("lead_1", request(lead.HVAC, false), lead.Decision{Status: lead.Collected})
	first.NextSteps[0] = "changed"
	second := brand.Receipt("lead_2", request(lead.HVAC, false), lead.Decision{Status: lead.Collected})
	if second.NextSteps[0] == "changed" {
		t.Error("two receipts share their steps")
	}
}

func TestStandingShowsNoPersonalData(t *testing.T) {
	made := time.Date(2027, 3, 15, 12, 0, 0, 0, time.UTC)
	l := lead.Lead{ID: "lead_1", Status: lead.Forwarded, Request: *request(lead.HVAC, false), CreatedAt: made, UpdatedAt: made.Add(time.Hour)}
	l.Request.Contact = lead.Contact{Name: "canary", Phone: "canary", Email: "canary", Street: "canary", Notes: "canary"}
	s := brand.LeadStatus(l)
	if s.LeadID != "lead_1" || s.Status != lead.Forwarded || s.Service != lead.HVAC || s.ZIP != "33139" || s.CreatedAt != made || s.UpdatedAt != made.Add(time.Hour) {
		t.Errorf("got %+v", s)
	}
	if strings.Contains(s.Message+strings.Join(s.NextSteps, ""), "canary") {
		t.Errorf("a personal detail is in the answer: %+v", s)
	}
}

// If a request is passed along or held, the answer says that nothing is promised.
func TestAnswersSayThatNothingIsPromised(t *testing.T) {
	for _, status := range []lead.Status{lead.Received, lead.Collected, lead.Forwarded, lead.Errored} {
		for _, s := range lead.Services {
			m := brand.LeadStatus(lead.Lead{Status: status, Request: *request(s, false)}).Message
			if !strings.Contains(m, "not a booking") || !strings.Contains(m, "no callback, arrival time or company is promised") {
				t.Errorf("%s %s: %s", status, s, m)
			}
		}
	}
}

func mentions(steps []string, words string) bool {
	return slices.ContainsFunc(steps, func(s string) bool { return strings.Contains(s, words) })
}

// A dry run says what would happen to the request today, and nothing about whose number it is.
func TestDryRunSaysHeldOrOffered(t *testing.T) {
	for offered, want := range map[bool]string{true: "would be offered", false: "would be held"} {
		r := brand.Receipt("dry_1", request(lead.HVAC, true), lead.Decision{Status: lead.Validated, Offered: offered})
		if !strings.Contains(r.Message, want) || !strings.Contains(r.Message, "nothing was stored") {
			t.Errorf("offered %t: %s", offered, r.Message)
		}
	}
	r := brand.Receipt("dry_1", request(lead.Plumbing, true), lead.Decision{Status: lead.CallToConnect})
	if strings.Contains(r.Message, "would be") {
		t.Errorf("plumbing: %s", r.Message)
	}
}

// The sender of a request gets the full address for withdrawing it: an assistant does not know the site that a path
// belongs to.
func TestAnswersSayHowToWithdraw(t *testing.T) {
	const page = "https://foyer.example.com/privacy#wish"
	for status, want := range map[lead.Status]bool{
		lead.Received: true, lead.Collected: true, lead.Forwarded: true, lead.Errored: true, lead.Rejected: false, lead.CallToConnect: false, lead.Validated: false,
	} {
		receipt := brand.Receipt("lead_1", request(lead.HVAC, false), lead.Decision{Status: status})
		standing := brand.LeadStatus(lead.Lead{Status: status, Request: *request(lead.HVAC, false)})
		if mentions(receipt.NextSteps, page) != want || mentions(standing.NextSteps, page) != want {
			t.Errorf("%s: %q and %q", status, receipt.NextSteps, standing.NextSteps)
		}
	}
	for _, text := range []string{brand.StatusTool().Description, brand.Instructions()} {
		if !strings.Contains(text, page) || strings.Contains(strings.ReplaceAll(text, page, ""), "/privacy") {
			t.Errorf("no full address in: %s", text)
		}
	}
}

// Both request tools give the same advice for regular cleaning.
func TestToolsAgreeOnRegularCleaning(t *testing.T) {
	const way = "For regular cleaning, such as every two weeks, use request_home_service with service_type recurring_cleaning"
	for _, tool := range []catalog.Tool{catalog.ToolRequest, catalog.ToolCleaning} {
		if !strings.Contains(tool.Description, way) {
			t.Errorf("%s says: %s", tool.Name, tool.Description)
		}
	}
}

// The thanks page mentions a past date only if there is one.
func TestThanksMentionsAPastDate(t *testing.T) {
	for _, marks := range [][]lead.Mark{nil, {lead.PastDate}} {
		standing := brand.LeadStatus(lead.Lead{Status: lead.Collected, Marks: marks, Request: *request(lead.HVAC, false)})
		if got := brand.ThanksPageFor(standing).Sections[0].Heading == "Your date has passed"; got != (marks != nil) {
			t.Errorf("with %v: %t", marks, got)
		}
	}
}
