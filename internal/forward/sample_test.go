package forward

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

var sampleAt = time.Date(2026, time.November, 5, 12, 0, 0, 0, time.UTC)

// TestASampleIsARealMessage takes the mark of the test away: what is left is what the forwarder itself would send about
// the same lead.
func TestASampleIsARealMessage(t *testing.T) {
	for kind, step := range map[string]buyer.Step{LeadOffered: buyer.StepOffer, LeadDelivered: buyer.StepDeliver} {
		t.Run(kind, func(t *testing.T) {
			b := sampleBuyer("331*")
			b.Terms.OneStep = step == buyer.StepDeliver
			got, sample := Sample(b, "lead_1", "offer_1", sampleAt)
			body := strings.Replace(string(sample.Body), `"test":true,`, "", 1)
			if body == string(sample.Body) {
				t.Errorf("it is not marked as a test: %s", body)
			}
			var said struct {
				Data struct {
					Consent struct{ Text, Hash, Version string }
				}
			}
			if err := json.Unmarshal([]byte(body), &said); err != nil {
				t.Fatal(err)
			}
			f := &Forwarder{Consent: func(context.Context, string) (string, error) { return said.Data.Consent.Text, nil }}
			about := sampleLead(b.Terms, "lead_1", lead.ConsentText{Version: "shown-test", Text: "This is a test. Nobody agreed to anything."}.Ref(), sampleAt)
			letter, err := f.message(t.Context(), task{
				delivery: buyer.Delivery{Step: step}, lead: about, to: &buyer.Candidate{Buyer: b},
				offer: buyer.Offer{ID: "offer_1", Buyer: b.ID, At: sampleAt, OneStep: b.Terms.OneStep},
			})
			if err != nil {
				t.Fatal(err)
			}
			sample.Body = []byte(body)
			if diff := cmp.Diff(letter, sample); got != kind || diff != "" {
				t.Errorf("%s (-sent +sample):\n%s", got, diff)
			}
		})
	}
}

func sampleBuyer(zips string) buyer.Buyer {
	return buyer.Buyer{ID: "buyer_1", Secrets: []string{"whsec_2", "whsec_1"}, Terms: buyer.Terms{
		URL: "https://buyer.example.com/leads", Services: []lead.Service{lead.HVAC, lead.Handyman}, Area: buyer.Area{ZIPs: zips},
	}}
}

// TestASampleIsOneThatTheBuyerCouldGet has its service, and its place where it names one.
func TestASampleIsOneThatTheBuyerCouldGet(t *testing.T) {
	for zips, want := range map[string]string{"": "33139", "*": "33139", "331*": "33139", "33139,90210": "33139", "331*,90210": "90210"} {
		_, letter := Sample(sampleBuyer(zips), "lead_1", "offer_1", sampleAt)
		var said struct {
			Data struct {
				Service string `json:"service_type"`
				ZIP     string `json:"zip_code"`
			}
		}
		if err := json.Unmarshal(letter.Body, &said); err != nil || said.Data.Service != "hvac" || said.Data.ZIP != want {
			t.Errorf("%q: %+v, %v; want %s", zips, said.Data, err, want)
		}
	}
}

// TestAnOfferedSampleTellsNobody although there is nobody to be told of: the shape is that of a real offer.
func TestAnOfferedSampleTellsNobody(t *testing.T) {
	_, letter := Sample(sampleBuyer(""), "lead_1", "offer_1", sampleAt)
	for _, trace := range []string{"Test Example", "5550123", "test@example.com", "Example Street", "to be called", "customer_"} {
		if strings.Contains(string(letter.Body), trace) {
			t.Errorf("%s is in it: %s", trace, letter.Body)
		}
	}
}
