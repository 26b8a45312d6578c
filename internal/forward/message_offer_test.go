package forward

import (
	"strings"
	"testing"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// An offer, which the trade calls a ping, must not leak personal data (PII). This test fails if an offer tells the phone number, or any
// other field of the contact: a buyer that was only asked could call the person anyway. The fields are left out, not masked or redacted.
func TestOfferDoesNotTellTheContact(t *testing.T) {
	for name, c := range map[string]struct {
		value string
		set   func(*lead.Contact, string)
	}{
		"name":   {"Pat Example", func(c *lead.Contact, v string) { c.Name = v }},
		"phone":  {"+13055550123", func(c *lead.Contact, v string) { c.Phone = v }},
		"email":  {"pat@example.com", func(c *lead.Contact, v string) { c.Email = v }},
		"street": {"12 Example Street", func(c *lead.Contact, v string) { c.Street = v }},
		"notes":  {"Two cats in the house", func(c *lead.Contact, v string) { c.Notes = v }},
	} {
		t.Run(name, func(t *testing.T) {
			tk := task{
				delivery: buyer.Delivery{Step: buyer.StepOffer}, lead: lead.Lead{ID: "lead_1"},
				offer: buyer.Offer{ID: "offer_1", At: sampleAt}, to: &buyer.Candidate{},
			}
			c.set(&tk.lead.Request.Contact, c.value)
			msg, err := (&Forwarder{}).message(t.Context(), tk)
			if err != nil || !strings.Contains(string(msg.Body), `"offer_id":"offer_1"`) {
				t.Fatalf("%v: %s", err, msg.Body)
			}
			if strings.Contains(string(msg.Body), c.value) {
				t.Errorf("the offer has the %s: %s", name, msg.Body)
			}
		})
	}
}
