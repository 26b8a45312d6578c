package sim

import (
	"encoding/json"
	"strings"
	"time"
)

// Message is what the buyer saw and did. It holds nothing that tells who the person is.
type Message struct {
	At        time.Time `json:"at"`
	Type      string    `json:"type,omitempty"`
	WebhookID string    `json:"webhook_id,omitempty"`
	LeadID    string    `json:"lead_id,omitempty"`
	OfferID   string    `json:"offer_id,omitempty"`
	Test      bool      `json:"test"`      // a test offer
	Contact   bool      `json:"contact"`   // whether it said who the person is
	Signed    bool      `json:"signed"`    // whether the signature was right, or nobody looked
	Duplicate bool      `json:"duplicate"` // the webhook-id was here before
	Problem   string    `json:"problem,omitempty"`
	Answer    string    `json:"answer"`             // what is done with it, such as "200 accept" or "reset"
	Decision  string    `json:"decision,omitempty"` // accept, reject, or none
	Code      string    `json:"code,omitempty"`
}

// The types of messages that it knows.
const (
	Offered   = "lead.offered"
	Delivered = "lead.delivered"
)

// read finds in a body what may be told. Of the personal part it keeps only whether there is one.
func (m *Message) read(body []byte) {
	var event struct {
		Type string `json:"type"`
		Data struct {
			LeadID  string `json:"lead_id"`
			OfferID string `json:"offer_id"`
			Test    bool   `json:"test"`
			Name    string `json:"customer_name"`
			Phone   string `json:"customer_phone"`
			Email   string `json:"customer_email"`
			Street  string `json:"address_line"`
			Notes   string `json:"notes"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &event) != nil {
		m.Problem = "the body is not a message"
		return
	}
	d := event.Data
	m.Type, m.LeadID, m.OfferID, m.Test = plainID(event.Type), plainID(d.LeadID), plainID(d.OfferID), d.Test
	m.Contact = d.Name+d.Phone+d.Email+d.Street+d.Notes != ""
	if m.Type != Offered && m.Type != Delivered {
		m.Problem = "the type is not known"
	}
}

// plainID is an id that may be shown. What does not look like one could hold anything.
func plainID(id string) string {
	if len(id) > 100 || strings.ContainsFunc(id, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-' && r != '.'
	}) {
		return "?"
	}
	return id
}
