// Package buyer is the vocabulary of the second half of the trade: who buys leads, what they cover and demand, what is
// offered to them, and what their answers mean. Like lead it is pure: it keeps nothing, sends nothing, and is told the time.
//
// It knows nothing of queues and rows. When something is asked, and where that is remembered, others decide.
package buyer

import (
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
	CreatedAt time.Time
	UpdatedAt time.Time
}

// State says whether a buyer may be asked.
type State string

// A new buyer is in test until the operator starts it. It is paused by the operator, or by itself when its address refuses
// us; it is off when it said that it is gone. A removed one is kept for the sake of its name. Only an active one is asked.
const (
	Testing State = "testing"
	Active  State = "active"
	Paused  State = "paused"
	Off     State = "off"
	Removed State = "removed"
)

// Explained says why a buyer in this state is not asked.
func (s State) Explained() string {
	if s == Testing {
		return "it is in test"
	}
	return "it is " + string(s)
}

// Terms are what the operator agreed with a buyer. They are stored and shown as JSON.
type Terms struct {
	Name        string         `json:"name"`
	URL         string         `json:"url"`
	Services    []lead.Service `json:"services"`
	Area        Area           `json:"area"`
	Hours       Hours          `json:"hours"`
	Caps        Caps           `json:"caps"`
	Priority    int            `json:"priority"` // lower is asked first
	Payout      string         `json:"payout_hint,omitempty"`
	PayoutShown bool           `json:"payout_public,omitempty"`
	Demands     Demands        `json:"demands"`
	OneStep     bool           `json:"one_step,omitempty"`     // the contact is sent at once, and the answer is the decision
	PlainAccept bool           `json:"plain_accept,omitempty"` // a 2xx without a decision accepts; for one-step buyers only
	HeldSince   time.Time      `json:"held_since,omitzero"`    // leads received before are not offered to it; zero where all are
}

// DefaultPriority is the priority of a buyer that was given none.
const DefaultPriority = 100

// Takes says whether the terms name a service. Plumbing is dialled, so nobody is ever asked about it, named or not.
func (t Terms) Takes(s lead.Service) bool {
	for _, own := range t.Services {
		if own == s {
			return s.NeedsConsent()
		}
	}
	return false
}
