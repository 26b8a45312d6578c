package forward

import (
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/webhook"
)

// Sample builds the first message that a buyer would get about a lead. The lead is made up and marked as a test. A one-step
// buyer gets a delivery, because it never gets an offer.
func Sample(b buyer.Buyer, leadID, offerID string, at time.Time) (kind string, l webhook.Message) {
	consent := lead.ConsentText{Version: "shown-test", Text: "This is a test. Nobody agreed to anything."}
	about := sampleLead(b.Terms, leadID, consent.Ref(), at)
	offer := buyer.Offer{ID: offerID, Buyer: b.ID, At: at, State: buyer.OfferOpen, OneStep: b.Terms.OneStep}
	e := event{Type: LeadOffered, Timestamp: at.UTC()}
	if b.Terms.OneStep {
		told := contactFields(about, offer, consent.Text)
		told.Test = true
		e.Type, e.Data = LeadDelivered, told
	} else {
		told := offerFacts(about, offer)
		told.Test = true
		e.Data = told
	}
	return e.Type, webhook.Message{ID: messageID(e.Type, offerID), URL: b.Terms.URL, Secrets: b.Secrets, Body: encode(e)}
}

// SampleDelivery builds the delivery that follows a test offer which a buyer accepted, with the buyer's reference. As in the
// offer, the contact is made up and marked as a test.
func SampleDelivery(b buyer.Buyer, leadID, offerID, ref string, at time.Time) (kind string, l webhook.Message) {
	consent := lead.ConsentText{Version: "shown-test", Text: "This is a test. Nobody agreed to anything."}
	offer := buyer.Offer{ID: offerID, Buyer: b.ID, At: at, State: buyer.OfferAccepted, Ref: ref}
	told := contactFields(sampleLead(b.Terms, leadID, consent.Ref(), at), offer, consent.Text)
	told.Test = true
	e := event{Type: LeadDelivered, Timestamp: at.UTC(), Data: told}
	return e.Type, webhook.Message{ID: messageID(e.Type, offerID), URL: b.Terms.URL, Secrets: b.Secrets, Body: encode(e)}
}

// sampleLead returns a lead that a buyer could get, with data reserved for examples.
func sampleLead(t buyer.Terms, id string, consent lead.ConsentRef, at time.Time) lead.Lead {
	l := lead.Lead{ID: id, Status: lead.Received, CreatedAt: at, UpdatedAt: at, Evidence: lead.Evidence{Channel: lead.ChannelForm, Consent: consent}}
	l.Request.Job = lead.Job{
		Service: lead.Other, ZIP: "33139", City: "Miami Beach", Home: lead.Home{Type: "single_family", Bedrooms: new(3), Bathrooms: new(2.5), SquareFeet: new(1450)},
		Frequency: "one_time", FlexibleDates: true, Consent: true,
	}
	if len(t.Services) > 0 {
		l.Request.Service = t.Services[0]
	}
	zips := strings.Split(t.Area.ZIPs, ",")
	if i := slices.IndexFunc(zips, func(p string) bool { _, whole := lead.ZIP(p); return whole }); i >= 0 && !slices.Contains(zips, "33139") {
		l.Request.ZIP, l.Request.City = zips[i], ""
	}
	l.Request.Contact = lead.Contact{
		Name: "Test Example", Phone: "+13055550123", Email: "test@example.com", Street: "12 Example Street", Notes: "A test: there is nobody to be called.",
	}
	return l
}
