package lead

import "time"

// PrivacyRequest is a person's request about the data stored on them. The operator settles it.
type PrivacyRequest struct {
	ID     string
	At     time.Time
	Kind   PrivacyKind
	Phone  string // E.164; erased when the request is settled
	LeadID string // the lead it is about, if the person knows its id
	State  PrivacyState
	Note   string // how the operator settled it

	Evidence Evidence // how the request arrived
}

// How long an operator has in the United States: to honor that consent was taken back, by the federal rules for calls and texts (TCPA); and to
// erase, by the privacy laws of California and other states.
const (
	withdrawDays = 10 // business days
	eraseDays    = 45
)

// DueAt is until when the privacy request has to be settled; zero once it is. Holidays are taken for business days, so it may be early,
// and is never late.
func (r PrivacyRequest) DueAt() time.Time {
	switch {
	case r.State == PrivacyDone:
		return time.Time{}
	case r.Kind != Withdraw:
		return r.At.AddDate(0, 0, eraseDays)
	}
	due := r.At
	for left := withdrawDays; left > 0; {
		if due = due.AddDate(0, 0, 1); due.Weekday() != time.Saturday && due.Weekday() != time.Sunday {
			left--
		}
	}
	return due
}

// MaxPrivacyRequests is how many privacy requests may name one lead within PrivacyWindow, from all senders together.
// Otherwise a sender who has the lead's id could try out phone numbers.
const (
	MaxPrivacyRequests = 3
	PrivacyWindow      = 24 * time.Hour
)

// SameSender reports whether two privacy requests for the same thing came from the same client, so that a resent one is
// stored once. A request from another client is stored separately; otherwise its sender could tell from the count whether
// the phone number was given before.
func (r PrivacyRequest) SameSender(other PrivacyRequest) bool {
	return r.Evidence.Client == other.Evidence.Client && r.Evidence.UserAgent == other.Evidence.UserAgent
}

// Hidden reports whether a look-up no longer shows the status of the lead, because a privacy request named it while it
// could still be closed. Whether that request closed the lead depends on the phone number in it, so a changed status would
// tell the sender that the number is right, and an unchanged one that it is wrong.
func (l *Lead) Hidden() bool {
	switch {
	case l.PrivacyAt.IsZero(), l.Status == CallToConnect: // a status that never changes
		return false
	case l.Status == Received, l.Status == Collected:
		return true
	}
	return !l.UpdatedAt.Before(l.PrivacyAt)
}

// PrivacyKind is what a privacy request asks for.
type PrivacyKind string

// The kinds: stop contacting me, or erase my data.
const (
	Withdraw PrivacyKind = "withdraw"
	EraseAll PrivacyKind = "erase"
)

// PrivacyKinds lists the kinds in the order of the form.
var PrivacyKinds = []PrivacyKind{Withdraw, EraseAll}

// PrivacyState says whether the operator still has to act.
type PrivacyState string

// A privacy request is open until the operator settles it.
const (
	PrivacyOpen PrivacyState = "open"
	PrivacyDone PrivacyState = "done"
)
