package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// A note says whether a buyer covers the service, and nothing else in the catalog depends on that.
func TestNotesFollowCoverage(t *testing.T) {
	for name, sold := range map[string][]lead.Service{
		"nobody covers anything": nil,
		"one service":            {lead.HVAC},
		"some":                   {lead.HouseCleaning, lead.Handyman},
		"all":                    lead.Services, // covering plumbing changes nothing: people dial the number
	} {
		t.Run(name, func(t *testing.T) {
			c, held := brand.Catalog(sold...), brand.Catalog()
			for i, e := range c.Collecting {
				want := catalog.NoteHeld
				if slices.Contains(sold, e.Service) {
					want = catalog.NotePassed
				}
				if e.Note != want {
					t.Errorf("%s: %s", e.Service, e.Note)
				}
				if e.Note = held.Collecting[i].Note; e != held.Collecting[i] {
					t.Errorf("more than the note changed: %+v", e)
				}
			}
			if len(c.Collecting) != 8 || c.Live[0] != held.Live[0] {
				t.Errorf("the list changed: %d collect, %+v", len(c.Collecting), c.Live)
			}
		})
	}
}

// Both notes say that consent is required and that nothing is promised.
func TestNotesPromiseNothing(t *testing.T) {
	for _, note := range []string{catalog.NoteHeld, catalog.NotePassed} {
		for _, must := range []string{"with the person's consent", "held", "no callback, arrival time or company"} {
			if !strings.Contains(note, must) {
				t.Errorf("%q does not say %q", note, must)
			}
		}
	}
}

func TestLLMsPageListsCoverage(t *testing.T) {
	for _, section := range brand.LLMsPage(lead.HVAC).Sections {
		if section.Heading != "Services that collect requests" {
			continue
		}
		for _, item := range section.Items {
			covered := strings.HasPrefix(item, "hvac: ")
			if strings.Contains(item, "Covered, depending on the ZIP code.") != covered || strings.Contains(item, "No contractor network covers it right now.") == covered {
				t.Errorf("%s", item)
			}
		}
		if len(section.Items) != 8 {
			t.Errorf("%d services collect requests", len(section.Items))
		}
		return
	}
	t.Error("llms.txt does not list what collects requests")
}

// A past date is mentioned only while the request can still be passed along.
func TestStandingAsksForANewDate(t *testing.T) {
	for _, status := range lead.Statuses {
		s := brand.LeadStatus(lead.Lead{Status: status, Request: *request(lead.HVAC, false), Marks: []lead.Mark{lead.PastDate}})
		if want := status == lead.Received || status == lead.Collected; mentions(s.NextSteps, "new date") != want {
			t.Errorf("%s: %v", status, s.NextSteps)
		}
	}
}
