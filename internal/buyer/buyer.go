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

// A buyer is paused by the operator, or by itself when its address refuses us; it is off when it said that it is gone.
const (
	Active  State = "active"
	Testing State = "testing" // new: it gets tests only
	Paused  State = "paused"
	Off     State = "off"
	Removed State = "removed" // kept, so that the history can name it
)

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
