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
