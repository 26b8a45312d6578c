package forward

import (
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/webhook"
)

// Sample builds a message about an offer to a buyer, with a lead that is made up and marked as a test: the offer itself, or the
// delivery that follows if the offer is accepted. A one-step buyer gets the delivery at once.
func Sample(b buyer.Buyer, leadID string, offer buyer.Offer) (kind string, msg webhook.Message) {
	consent := lead.ConsentText{Version: "shown-test", Text: "This is a test. Nobody agreed to anything."}
	l := sampleLead(b.Terms, leadID, consent.Ref(), offer.At)
	offer.Price = b.Terms.Price(l.Request.Service)
	data := contactFields(l, offer, consent.Text)
	data.Test = true
	if offer.OneStep || offer.State == buyer.OfferAccepted {
		return LeadDelivered, newMessage(LeadDelivered, b, offer, data)
	}
	return LeadOffered, newMessage(LeadOffered, b, offer, data.facts)
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
