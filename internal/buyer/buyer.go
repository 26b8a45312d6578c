// Package buyer defines buyers and the rules for offering leads to them: what they cover and demand, when they can be asked,
// and what their answers mean. Like package lead it is pure: it stores nothing, sends nothing, and gets the time as an argument.
//
// It knows nothing of queues and tables. Package forward decides when to ask, and package store records it.
package buyer

import (
	"cmp"
	"slices"
	"time"

	"foyer/internal/lead"
)

// Buyer is a contractor network that takes leads.
type Buyer struct {
	ID        string
	Terms     Terms
	Secrets   []string // newest first; two during a rotation
	State     State
	Why       string // why it is paused or off
	Funds     Cents  // its payments and the corrections of its account: see CreditLimit
	CreatedAt time.Time
	UpdatedAt time.Time
}

// State says whether a buyer can be asked.
type State string

// A new buyer is in test until the operator starts it. It is paused by the operator, or automatically when its address rejects
// our requests; it is off after its address answered 410. A removed buyer is kept for its name. Only an active buyer is asked.
const (
	Testing State = "testing"
	Active  State = "active"
	Paused  State = "paused"
	Off     State = "off"
	Removed State = "removed"
)

// Explained returns why a buyer in this state is not asked.
func (s State) Explained() string {
	if s == Testing {
		return "it is in test"
	}
	return "it is " + string(s)
}

// Terms are what the operator agreed with a buyer. They are stored and shown as JSON.
type Terms struct {
	Name     string         `json:"name"`
	URL      string         `json:"url"`
	Services []lead.Service `json:"services"`
	Area     Area           `json:"area"`
	Hours    Hours          `json:"hours"`
	Caps     Caps           `json:"caps"`
	Priority int            `json:"priority"` // lower is asked first
	// Prices are what the buyer pays for a lead of each service. A price is fixed, and the money reserved, when a lead is offered; it is
	// charged when the contact is acknowledged.
	Prices map[lead.Service]Cents `json:"price_cents,omitzero"`
	// CreditLimit is how much more than its payments the buyer may be charged: 0 for a buyer that pays in advance, nil for no limit.
	CreditLimit *Cents      `json:"credit_limit_cents,omitzero"`
	Payout      string      `json:"payout_hint,omitempty"`
	PayoutShown bool        `json:"payout_public,omitempty"`
	Demands     Demands     `json:"demands"`
	MaxInFlight int         `json:"max_in_flight,omitempty"` // messages at the same time from one process; 0 means DefaultMaxInFlight
	Returns     ReturnTerms `json:"returns,omitzero"`
	OneStep     bool        `json:"one_step,omitempty"`     // the first message has the contact, and its answer is the decision
	PlainAccept bool        `json:"plain_accept,omitempty"` // a 2xx without a decision accepts; one-step buyers only
	HeldSince   time.Time   `json:"held_since,omitzero"`    // leads received earlier are not offered; zero means all are
	Practice    bool        `json:"practice,omitempty"`     // it takes only numbers that no person can have, and is at PracticeURL
}

// PracticeURL is the address of a practice buyer. The name is reserved, so that it never resolves: the service answers by itself what
// is addressed to it, and a program that does not know the address sends nothing.
const PracticeURL = "https://practice.invalid/leads"

// AcceptsPhone reports whether the buyer may get the lead of a phone number. A practice buyer must never get a person's.
func (t Terms) AcceptsPhone(phone string) bool { return !t.Practice || lead.FictionalPhone(phone) }

// DefaultPriority is the priority of a buyer if the operator sets none.
const DefaultPriority = 100

// DefaultMaxInFlight is how many messages a process sends to a buyer at the same time if the operator sets no number: one that
// hangs holds up no more than these.
const DefaultMaxInFlight = 8

// InFlight returns how many messages a process may send to the buyer at the same time.
func (t Terms) InFlight() int { return cmp.Or(t.MaxInFlight, DefaultMaxInFlight) }

// Takes reports whether the terms include a service. Plumbing is always dialed, so no buyer takes it, listed or not.
func (t Terms) Takes(s lead.Service) bool {
	return s.NeedsConsent() && slices.Contains(t.Services, s)
}
