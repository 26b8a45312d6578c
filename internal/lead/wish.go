package lead

import "time"

// Wish is what a person asks for concerning what is kept of them. The operator settles it.
type Wish struct {
	ID     string
	At     time.Time
	Kind   WishKind
	Phone  string // E.164; forgotten when the wish is settled
	LeadID string // the request it is about, where the person knows
	State  WishState
	Note   string // how the operator settled it

	Evidence Evidence // how it came
}

// MostWishes is how many wishes may name a lead within WishWindow, whoever sends them: whoever has a reference could
// otherwise try out numbers.
const (
	MostWishes = 3
	WishWindow = 24 * time.Hour
)

// SameSender says whether two wishes that ask for the same came from the same place: one that was sent twice is one. From
// elsewhere it is another, or whoever sends it could see from the count whether the number was given before.
func (w Wish) SameSender(other Wish) bool {
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

// WishKind is one of the things that can be wished for.
type WishKind string

// What can be wished for: no more contact, or nothing kept.
const (
	Withdraw WishKind = "withdraw"
	EraseAll WishKind = "erase"
)

// WishKinds lists them in the order in which people are asked.
var WishKinds = []WishKind{Withdraw, EraseAll}

// WishState says whether somebody has still to do something.
type WishState string

// A wish is open until the operator settles it.
const (
	WishOpen WishState = "open"
	WishDone WishState = "done"
)
