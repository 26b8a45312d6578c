package forward

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// The types of messages that buyers get.
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

// facts are what everybody who is asked may know: nothing that tells who the person is.
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

// person is what only the buyer that accepted is told.
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
	At      time.Time `json:"at"`
	Text    string    `json:"text"`
	Hash    string    `json:"hash"`
	Version string    `json:"version"`
	Door    lead.Door `json:"door"`

	Origin        *string            `json:"origin"`
	FormToken     *lead.TokenVerdict `json:"form_token"`
	SecondsOnPage *int               `json:"seconds_on_page"`
}

// kind is the type of the message that a task sends.
func (x task) kind() string {
	if x.delivery.Step == buyer.StepDeliver {
		return LeadDelivered
	}
	return LeadOffered
}

// message writes the message of a task. It is the same for every attempt, its id included: without the words that were
// agreed to there is none.
func (f *Forwarder) message(ctx context.Context, x task) (Message, error) {
	kind := x.kind()
	e := event{Type: kind, Timestamp: x.offer.At.UTC(), Data: offerFacts(x.lead, x.offer)}
	if kind == LeadDelivered {
		agreed, err := f.Consent(ctx, x.lead.Evidence.Consent.Hash)
		if err != nil {
			return Message{}, err
		}
		e.Data = contactFields(x.lead, x.offer, agreed)
	}
	return Message{ID: messageID(kind, x.offer.ID), URL: x.to.Terms.URL, Secrets: x.to.Secrets, Body: encode(e)}, nil
}

func encode(e event) []byte {
	body, err := json.Marshal(e)
	if err != nil {
		panic(err) // there is nothing in it that cannot be written
	}
	return body
}

// messageID names a message after its offer, so that it needs no memory to stay the same.
func messageID(kind, offer string) string {
	return "msg_" + strings.TrimPrefix(offer, "offer_") + "_" + strings.TrimPrefix(kind, "lead.")
}

func offerFacts(l lead.Lead, o buyer.Offer) facts {
	r := l.Request
	if r.State == "" {
		r.State = buyer.StateOf(r.ZIP)
	}
	return facts{
		LeadID: cmp.Or(o.LeadID, l.ID), OfferID: o.ID, ExpiresAt: o.At.Add(buyer.OfferLifetime).UTC(), Service: r.Service, ZIP: r.ZIP, City: optional(r.City), State: optional(r.State),
		Home:      home{optional(r.Home.Type), r.Home.Bedrooms, r.Home.Bathrooms, r.Home.SquareFeet},
		Frequency: r.Frequency, Date: optional(r.PreferredDate), Flexible: r.FlexibleDates, Grade: buyer.GradeOf(l.Evidence),
		Quality:   quality{!slices.Contains(l.Marks, lead.ImplausiblePhone), slices.Contains(l.Marks, lead.PastDate), slices.Contains(l.Marks, lead.Automated)},
		Duplicate: slices.Contains(l.Marks, lead.Duplicate),
	}
}

// contactFields adds who the person is, and the words that they agreed to.
func contactFields(l lead.Lead, o buyer.Offer, agreed string) person {
	c := l.Request.Contact
	return person{
		facts: offerFacts(l, o), Name: c.Name, Phone: c.Phone, Email: optional(c.Email), Street: optional(c.Street), Notes: optional(c.Notes), Ref: optional(o.Ref),
		Consent: consentProof(l, agreed),
	}
}

// consentProof tells what is known of how the person agreed. Only a form has a token, and only a genuine one tells the time.
func consentProof(l lead.Lead, agreed string) proof {
	e := l.Evidence
	p := proof{At: l.CreatedAt.UTC(), Text: agreed, Hash: e.Consent.Hash, Version: e.Consent.Version, Door: e.Door, Origin: optional(e.Origin)}
	if e.FormToken != "" {
		p.FormToken = &e.FormToken
	}
	if e.FormToken.Genuine() {
		p.SecondsOnPage = &e.SecondsOnPage
	}
	return p
}

// optional is null for what was not given.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
