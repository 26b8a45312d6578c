package forward

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/webhook"
)

// The types of messages sent to buyers.
const (
	LeadOffered   = "lead.offered"
	LeadDelivered = "lead.delivered"
)

// event is the body of every message.
type event struct {
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Data      any       `json:"data"`
}

// facts is what every buyer that gets an offer may know: nothing of the contact. City is free text, and could name a person all the same.
type facts struct {
	Test      bool         `json:"test,omitempty"`
	LeadID    string       `json:"lead_id"`
	OfferID   string       `json:"offer_id"`
	ExpiresAt time.Time    `json:"expires_at"`
	Service   lead.Service `json:"service_type"`
	ZIP       string       `json:"zip_code"`
	City      *string      `json:"city"`
	State     *string      `json:"state"`
	Home      home         `json:"home"`
	Frequency string       `json:"frequency"`
	Date      *string      `json:"preferred_date"`
	Flexible  bool         `json:"flexible_dates"`
	Grade     buyer.Grade  `json:"consent_grade"`
	Quality   quality      `json:"quality"`
	Duplicate bool         `json:"duplicate"`
	Price     buyer.Cents  `json:"price_cents"`
}

type home struct {
	Type       *string  `json:"home_type"`
	Bedrooms   *int     `json:"bedrooms"`
	Bathrooms  *float64 `json:"bathrooms"`
	SquareFeet *int     `json:"square_feet"`
}

type quality struct {
	PlausiblePhone bool `json:"plausible_phone"`
	PastDate       bool `json:"date_in_past"`
	Automated      bool `json:"automated"`
}

// person is what identifies the person. Only a buyer that accepted gets it, or a one-step buyer, with its offer.
type person struct {
	facts
	Name    string  `json:"customer_name"`
	Phone   string  `json:"customer_phone"`
	Email   *string `json:"customer_email"`
	Street  *string `json:"address_line"`
	Notes   *string `json:"notes"`
	Consent proof   `json:"consent"`
	Ref     *string `json:"buyer_ref"`
}

// proof is the evidence of consent.
type proof struct {
	At      time.Time    `json:"at"`
	Text    string       `json:"text"`
	Hash    string       `json:"hash"`
	Version string       `json:"version"`
	Door    lead.Channel `json:"door"`

	Origin        *string            `json:"origin"`
	FormToken     *lead.TokenVerdict `json:"form_token"`
	SecondsOnPage *int               `json:"seconds_on_page"`
}

// kind returns the type of the message that a task sends.
func (tk task) kind() string {
	if tk.delivery.Step == buyer.StepDeliver {
		return LeadDelivered
	}
	return LeadOffered
}

// message builds the message of a task. It is the same for every attempt, including its id. A contact is never sent without
// the consent text, so an error reading the text means no message.
func (f *Forwarder) message(ctx context.Context, tk task) (webhook.Message, error) {
	if tk.kind() == LeadOffered {
		return newMessage(LeadOffered, tk.to.Buyer, tk.offer, offerFacts(tk.lead, tk.offer)), nil
	}
	agreed, err := f.Consent(ctx, tk.lead.Evidence.Consent.Hash)
	if err != nil {
		return webhook.Message{}, err
	}
	return newMessage(LeadDelivered, tk.to.Buyer, tk.offer, contactFields(tk.lead, tk.offer, agreed)), nil
}

func newMessage(kind string, to buyer.Buyer, o buyer.Offer, data any) webhook.Message {
	return encodeMessage(kind, to, messageID(kind, o.ID), o.At, data)
}

func encodeMessage(kind string, to buyer.Buyer, id string, at time.Time, data any) webhook.Message {
	return webhook.Message{ID: id, URL: to.Terms.URL, Secrets: to.Secrets, Body: encodeBody(kind, at, data)}
}

func encodeBody(kind string, at time.Time, data any) []byte {
	body, err := json.Marshal(event{Type: kind, Timestamp: at.UTC(), Data: data})
	if err != nil {
		panic(err) // an event has no values that cannot be encoded
	}
	return body
}

// SentBody is the body of a message about an offer that was sent: it is not stored, because everything in it is. agreed are the words of the
// consent, and r is the decided return that the message is about, if it is about one. An unknown kind has no body.
func SentBody(kind string, l lead.Lead, o buyer.Offer, agreed string, r buyer.Return) []byte {
	switch kind {
	case LeadOffered:
		return encodeBody(kind, o.At, offerFacts(l, o))
	case LeadDelivered:
		return encodeBody(kind, o.At, contactFields(l, o, agreed))
	case ReturnDecided:
		return encodeBody(kind, r.DecidedAt, returnFields(l, o, r))
	}
	return nil
}

// messageID derives the id of a message from its offer, so that every attempt has the same id without storing it.
func messageID(kind, offer string) string {
	return "msg_" + strings.TrimPrefix(offer, "offer_") + "_" + strings.TrimPrefix(kind, "lead.")
}

func offerFacts(l lead.Lead, o buyer.Offer) facts {
	r := l.Request
	if r.State == "" {
		r.State = buyer.StateOf(r.ZIP)
	}
	return facts{
		LeadID: o.LeadIDOf(l), OfferID: o.ID, ExpiresAt: o.At.Add(buyer.OfferLifetime).UTC(), Service: r.Service, ZIP: r.ZIP, City: optional(r.City), State: optional(r.State),
		Home:      home{optional(r.Home.Type), r.Home.Bedrooms, r.Home.Bathrooms, r.Home.SquareFeet},
		Frequency: r.Frequency, Date: optional(r.PreferredDate), Flexible: r.FlexibleDates, Grade: buyer.GradeOf(l.Evidence),
		Quality:   quality{!slices.Contains(l.Marks, lead.ImplausiblePhone), slices.Contains(l.Marks, lead.PastDate), slices.Contains(l.Marks, lead.Automated)},
		Duplicate: slices.Contains(l.Marks, lead.Duplicate), Price: o.Price,
	}
}

// contactFields adds the contact and the consent text.
func contactFields(l lead.Lead, o buyer.Offer, agreed string) person {
	c := l.Request.Contact
	return person{
		facts: offerFacts(l, o), Name: c.Name, Phone: c.Phone, Email: optional(c.Email), Street: optional(c.Street), Notes: optional(c.Notes), Ref: optional(o.Ref),
		Consent: consentProof(l, agreed),
	}
}

// consentProof returns the evidence of how the person agreed. Only a form has a token, and only a genuine one proves the time.
func consentProof(l lead.Lead, agreed string) proof {
	e := l.Evidence
	p := proof{At: l.CreatedAt.UTC(), Text: agreed, Hash: e.Consent.Hash, Version: e.Consent.Version, Door: e.Channel, Origin: optional(e.Origin)}
	if e.FormToken != "" {
		p.FormToken = &e.FormToken
	}
	if e.FormToken.Genuine() {
		p.SecondsOnPage = &e.SecondsOnPage
	}
	return p
}

// optional returns nil, JSON null, for an empty text.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
