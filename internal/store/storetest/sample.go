package storetest

import (
	"time"

	"foyer/internal/lead"
)

// Noon is when the sample leads are created.
var Noon = time.Date(2026, time.November, 5, 12, 0, 0, 0, time.UTC)

// Lead returns a lead with all required fields and no optional ones.
func Lead(id string) lead.Lead {
	return lead.Lead{
		ID: id, Status: lead.Collected, CreatedAt: Noon, UpdatedAt: Noon,
		Request: lead.Request{
			Job: lead.Job{
				Service: lead.HouseCleaning, ZIP: "33139", Frequency: "one_time", FlexibleDates: true, Consent: true,
			}, Contact: lead.Contact{Name: "Pat Example", Phone: "+13055550123"},
		},
		Evidence: lead.Evidence{Channel: lead.ChannelJSON, Client: "192.0.2.1", RequestID: "req_1"},
	}
}

// FullLead returns a lead with every field of a request set, each to another value. It came to our form, from no source.
func FullLead(id string) lead.Lead {
	l := Lead(id)
	l.Status = lead.Received
	l.UpdatedAt = Noon.Add(time.Hour)
	l.Marks = []lead.Mark{lead.ImplausiblePhone, lead.PastDate}
	l.Request = lead.Request{
		Job: lead.Job{
			Service: lead.MoveCleaning, ZIP: "02108", City: "Boston", State: "MA",
			Home:      lead.Home{Type: "condo", Bedrooms: new(3), Bathrooms: new(2.5), SquareFeet: new(1450)},
			Frequency: "biweekly", PreferredDate: "2027-03-15", FlexibleDates: false, Consent: true, SourceAgent: "an-agent/1.0",
		}, Contact: lead.Contact{
			Name: "Pat Example", Phone: "+16175550142", Email: "pat@example.com",
			Street: "12 Example Street", Notes: "Two cats.",
		},
	}
	l.Evidence = lead.Evidence{
		Channel: lead.ChannelForm, Client: "2001:db8::1", UserAgent: "Browser/1.0", Page: "https://www.example.com/clean",
		Origin: "https://www.example.com", FetchSite: "same-origin", MCPClient: "assistant 2.0", RequestID: "req_2",
		Consent: lead.ConsentRef{Version: "shown-1", Hash: "abc123"},
	}
	return l
}

// IdempotencyKey returns an idempotency key with its request and its answer.
func IdempotencyKey(key, request, answer string) *lead.Idempotency {
	return &lead.Idempotency{Key: key, Request: request, Answer: []byte(answer)}
}
