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

// TestSampleMatchesRealMessage removes the test mark: the rest must be what the forwarder would send about the same lead.
func TestSampleMatchesRealMessage(t *testing.T) {
	for kind, step := range map[string]buyer.Step{LeadOffered: buyer.StepOffer, LeadDelivered: buyer.StepDeliver} {
		t.Run(kind, func(t *testing.T) {
			b := sampleBuyer("331*")
			b.Terms.OneStep = step == buyer.StepDeliver
			got, sample := Sample(b, "lead_1", buyer.Offer{ID: "offer_1", Buyer: b.ID, At: sampleAt, OneStep: b.Terms.OneStep})
			body := strings.Replace(string(sample.Body), `"test":true,`, "", 1)
			if body == string(sample.Body) {
				t.Errorf("it is not marked as a test: %s", body)
			}
			var sent struct {
				Data struct {
					Consent struct{ Text, Hash, Version string }
				}
			}
			if err := json.Unmarshal([]byte(body), &sent); err != nil {
				t.Fatal(err)
			}
			f := &Forwarder{Consent: func(context.Context, string) (string, error) { return sent.Data.Consent.Text, nil }}
			about := sampleLead(b.Terms, "lead_1", lead.ConsentText{Version: "shown-test", Text: "This is a test. Nobody agreed to anything."}.Ref(), sampleAt)
			msg, err := f.message(t.Context(), task{
				delivery: buyer.Delivery{Step: step}, lead: about, to: &buyer.Candidate{Buyer: b},
				offer: buyer.Offer{ID: "offer_1", Buyer: b.ID, At: sampleAt, OneStep: b.Terms.OneStep},
			})
			if err != nil {
				t.Fatal(err)
			}
			sample.Body = []byte(body)
			if diff := cmp.Diff(msg, sample); got != kind || diff != "" {
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

// TestSampleMatchesTerms checks that a sample has a service of the buyer, and a ZIP code of its area if it lists one.
func TestSampleMatchesTerms(t *testing.T) {
	for zips, want := range map[string]string{"": "33139", "*": "33139", "331*": "33139", "33139,90210": "33139", "331*,90210": "90210"} {
		_, msg := Sample(sampleBuyer(zips), "lead_1", buyer.Offer{ID: "offer_1", At: sampleAt})
		var sent struct {
			Data struct {
				Service string `json:"service_type"`
				ZIP     string `json:"zip_code"`
			}
		}
		if err := json.Unmarshal(msg.Body, &sent); err != nil || sent.Data.Service != "hvac" || sent.Data.ZIP != want {
			t.Errorf("%q: %+v, %v; want %s", zips, sent.Data, err, want)
		}
	}
}

// TestSampleOfferHasNoContact checks that a sample offer has the shape of a real one, without even a made-up contact.
func TestSampleOfferHasNoContact(t *testing.T) {
	_, msg := Sample(sampleBuyer(""), "lead_1", buyer.Offer{ID: "offer_1", At: sampleAt})
	for _, trace := range []string{"Test Example", "5550123", "test@example.com", "Example Street", "to be called", "customer_"} {
		if strings.Contains(string(msg.Body), trace) {
			t.Errorf("%s is in it: %s", trace, msg.Body)
		}
	}
}
