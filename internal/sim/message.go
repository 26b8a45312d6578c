package sim

import (
	"encoding/json"
	"strings"
	"time"
)

// Message is what the buyer received and did. It holds no personal data.
type Message struct {
	At        time.Time `json:"at"`
	Type      string    `json:"type,omitempty"`
	WebhookID string    `json:"webhook_id,omitempty"`
	LeadID    string    `json:"lead_id,omitempty"`
	OfferID   string    `json:"offer_id,omitempty"`
	Test      bool      `json:"test"`      // a test offer
	Contact   bool      `json:"contact"`   // whether it had contact data
	Signed    bool      `json:"signed"`    // whether the signature was valid, or not checked
	Duplicate bool      `json:"duplicate"` // the webhook-id was seen before
	Problem   string    `json:"problem,omitempty"`
	Answer    string    `json:"answer"`             // the action, such as "200 accept" or "reset"
	Decision  string    `json:"decision,omitempty"` // accept, reject, or none
	Code      string    `json:"code,omitempty"`
}

// The types of messages that the buyer knows.
const (
	Offered   = "lead.offered"
	Delivered = "lead.delivered"
	Decided   = "lead.return_decided"
)

// parse extracts what may be reported from a body. Of the personal data it keeps only whether there is any.
func (m *Message) parse(body []byte) {
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
	if m.Type != Offered && m.Type != Delivered && m.Type != Decided {
		m.Problem = "the type is not known"
	}
}

// plainID returns an id that is safe to show, or "?": what does not look like an id could contain anything.
func plainID(id string) string {
	if len(id) > 100 || strings.ContainsFunc(id, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-' && r != '.'
	}) {
		return "?"
	}
	return id
}
