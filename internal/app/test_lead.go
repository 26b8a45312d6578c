package app

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/edge"
	"foyer/internal/intake"
	"foyer/internal/lead"
)

// testPlaces are where made-up leads come from. With a hundred numbers and seven services for each, the same request seldom comes twice:
// repeats would be held.
var testPlaces = []struct{ areaCode, zip string }{
	{"305", "33139"}, {"212", "10001"}, {"213", "90012"}, {"312", "60601"}, {"713", "77002"}, {"602", "85004"}, {"215", "19103"}, {"206", "98101"}, {"404", "30303"}, {"617", "02108"},
}

var errNoTestLead = &lead.Error{Kind: lead.Conflict, Message: "Nothing was sent: no active practice buyer would get the test lead. Start one, or resume it. " +
	"Where another active buyer covers the same, that one would get it and pay for it: test that buyer on its own page instead."}

// sendTestLead returns a function that sends a made-up lead through the intake, as a program would, and returns its id. It sends nothing
// that another buyer than the one for practice would get.
func (a *App) sendTestLead(service *intake.Service) func(r *http.Request, by audit.Actor) (string, error) {
	return func(r *http.Request, by audit.Actor) (string, error) {
		ctx, client := r.Context(), edge.RequestInfoOf(r.Context()).Client
		if err := a.forward.Refresh(ctx); err != nil { // the practice buyer may have been added a moment ago
			return "", err
		}
		raw := testLead(a.forward.Coverage())
		if raw == nil {
			return "", errNoTestLead
		}
		receipt, err := service.Submit(ctx, &intake.Submission{Raw: raw, Client: client, Evidence: edge.EvidenceOf(r, lead.ChannelJSON)})
		if err != nil {
			return "", err
		}
		return receipt.LeadID, a.operator.From(client).RecordTestLead(ctx, by, receipt.LeadID)
	}
}

// testServices are those with a name that says what is asked for.
var testServices = slices.DeleteFunc(slices.Clone(lead.Services), func(s lead.Service) bool { return s == lead.Other })

// testLead makes up a request that only the practice buyer would get, or returns nil.
func testLead(c *buyer.Coverage) *lead.Raw {
	for _, p := range rand.Perm(len(testPlaces)) {
		for _, s := range rand.Perm(len(testServices)) {
			at, service := testPlaces[p], testServices[s]
			phone := fmt.Sprintf("+1%s55501%02d", at.areaCode, rand.IntN(100))
			if !c.CoversPractice(service, at.zip, phone) {
				continue
			}
			raw := lead.IntakeInput.New()
			for name, value := range map[string]lead.Value{
				"service_type": lead.Quoted(string(service)), "zip_code": lead.Quoted(at.zip), "customer_name": lead.Quoted("Pat Example"), "customer_phone": lead.Quoted(phone),
				"consent_to_contact": lead.Bool(true), "notes": lead.Quoted("A test lead from the console: there is nobody to be called."),
			} {
				raw.Set(name, value)
			}
			return raw
		}
	}
	return nil
}
