package buyer

import (
	"cmp"
	"slices"
	"time"

	"foyer/internal/lead"
)

// Return is a lead that a buyer gave back. The buyer's own words are not part of it: they may name the person.
type Return struct {
	Offer      string
	Buyer      string
	At         time.Time
	Code       lead.ReturnCode
	State      ReturnState
	DecidedAt  time.Time
	DecidedBy  string    // an actor, as the audit trail names it
	Note       string    // of the operator, for the buyer
	NotifyAt   time.Time // when to tell the buyer next; zero if there is nothing more to tell
	NotifiedAt time.Time // when the buyer had heard it; zero if it has not
	Attempts   int       // to tell the buyer
}

// ReturnState says whether a return was decided.
type ReturnState string

// A return waits until the operator, or what was agreed on for its code, decides it.
const (
	ReturnWaiting  ReturnState = "waiting"
	ReturnApproved ReturnState = "approved" // the lead costs the buyer nothing, and no longer counts toward its caps
	ReturnDenied   ReturnState = "denied"
)

// ReturnTerms are what was agreed on with a buyer about returns.
type ReturnTerms struct {
	Days    int               `json:"days,omitzero"`    // how long after its delivery a lead can be returned; 0 means lead.ReturnWindow
	Approve []lead.ReturnCode `json:"approve,omitzero"` // approved without a look
	Deny    []lead.ReturnCode `json:"deny,omitzero"`    // denied without a look
}

// Window is how long after its delivery a lead can be returned.
func (t ReturnTerms) Window() time.Duration {
	return cmp.Or(time.Duration(t.Days)*24*time.Hour, lead.ReturnWindow)
}

// Decide returns what was agreed on for a code. A return with any other code waits for the operator.
func (t ReturnTerms) Decide(code lead.ReturnCode) ReturnState {
	switch {
	case slices.Contains(t.Approve, code):
		return ReturnApproved
	case slices.Contains(t.Deny, code):
		return ReturnDenied
	}
	return ReturnWaiting
}
