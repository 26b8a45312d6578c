package lead

import "time"

// PrivacyRequest is what a person asks for concerning what is kept of them. The operator settles it.
type PrivacyRequest struct {
	ID     string
	At     time.Time
	Kind   PrivacyKind
	Phone  string // E.164; forgotten when the wish is settled
	LeadID string // the request it is about, where the person knows
	State  PrivacyState
	Note   string // how the operator settled it

	Evidence Evidence // how it came
}

// MaxPrivacyRequests is how many wishes may name a lead within WishWindow, whoever sends them: whoever has a reference could
// otherwise try out numbers.
const (
	MaxPrivacyRequests = 3
	PrivacyWindow      = 24 * time.Hour
)

// SameSender says whether two wishes that ask for the same came from the same place: one that was sent twice is one. From
// elsewhere it is another, or whoever sends it could see from the count whether the number was given before.
func (w PrivacyRequest) SameSender(other PrivacyRequest) bool {
	return w.Evidence.Client == other.Evidence.Client && w.Evidence.UserAgent == other.Evidence.UserAgent
}

// Hidden says that a look-up no longer tells where a lead stands, because a wish named it while it could still be closed.
// Whether the wish closed it depends on the number in it, so a change would tell whoever sent it that the number is right,
// and no change that it is wrong.
func (l *Lead) Hidden() bool {
	switch {
	case l.PrivacyAt.IsZero(), l.Status == CallToConnect: // which never changes
		return false
	case l.Status == Received, l.Status == Collected:
		return true
	}
	return !l.UpdatedAt.Before(l.PrivacyAt)
}

// PrivacyKind is one of the things that can be wished for.
type PrivacyKind string

// What can be wished for: no more contact, or nothing kept.
const (
	Withdraw PrivacyKind = "withdraw"
	EraseAll PrivacyKind = "erase"
)

// PrivacyKinds lists them in the order in which people are asked.
var PrivacyKinds = []PrivacyKind{Withdraw, EraseAll}

// PrivacyState says whether somebody has still to do something.
type PrivacyState string

// A wish is open until the operator settles it.
const (
	PrivacyOpen PrivacyState = "open"
	PrivacyDone PrivacyState = "done"
)
