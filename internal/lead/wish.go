package lead

import (
	"strings"
	"time"
)

// Wish is what a person asks for concerning what is kept of them. The operator settles it.
type Wish struct {
	ID     string
	At     time.Time
	Kind   WishKind
	Phone  string // E.164; forgotten when the wish is settled
	LeadID string // the request it is about, where the person knows
	State  WishState
	Note   string // how the operator settled it
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

// MayBeLeadID says that a text has the form of a lead's id. A dry run's has not: nothing of it was kept.
func MayBeLeadID(text string) bool {
	rest, found := strings.CutPrefix(text, "lead_")
	return found && rest != "" && len(text) <= 64 && !strings.ContainsFunc(rest, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9')
	})
}
