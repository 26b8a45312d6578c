package buyer

import (
	"time"

	"foyer/internal/lead"
)

// Delivery is a lead on its way to a buyer. There is one for each lead that is received, and none for any other.
type Delivery struct {
	Lead       int64 // the lead's row
	BuyerQueue string
	Step       Step
	DueAt      time.Time // when it may be taken; while somebody has it, when their lease ends
	Token      int64     // counts how often it was taken: only whoever took it last may settle it
	Owner      string    // the process that has it, or ""
	Since      time.Time // when this round began
	Offer      string
	Attempts   int
	SentAt     time.Time // when the message under way was taken to be sent
	URL        string    // where to
	// MayHaveContact is set with the lease of every delivery. It is cleared where nothing was sent after all, and where the
	// buyer refused and the next one is asked.
	MayHaveContact bool
}

// Step is what has to be done next for a lead.
type Step string

// The steps of an errand. Its lane is the buyer it stands before, or "" while it looks for one.
const (
	StepAsk     Step = "ask"
	StepOffer   Step = "offer"
	StepDeliver Step = "deliver"
)

// Offer is one lead, offered to one buyer once.
type Offer struct {
	ID      string
	Lead    int64
	Buyer   string
	At      time.Time
	State   OfferState
	Code    Code
	Ref     string
	OneStep bool
	LeadID  string // the buyer's own id for the lead; "" where it was told the lead's
}

// OfferState is what became of an offer.
type OfferState string

// What can become of an offer. While it is open it holds a place under the buyer's caps, and it keeps that place unless
// it comes to nothing: see Counts.
const (
	OfferOpen      OfferState = "open"
	OfferAccepted  OfferState = "accepted"  // the contact is on its way
	OfferDelivered OfferState = "delivered" // the contact was acknowledged
	OfferDeclined  OfferState = "declined"
	OfferFailed    OfferState = "failed" // no decision, or the lead was taken back before there was one
	OfferLost      OfferState = "lost"   // accepted, or perhaps taken, and never acknowledged: the lead is locked
)

// Counts says whether an offer counts towards the buyer's caps.
func (s OfferState) Counts() bool {
	return s == OfferOpen || s == OfferAccepted || s == OfferDelivered || s == OfferLost
}

// WasAccepted says whether the buyer took the lead, or may have taken it.
func (s OfferState) WasAccepted() bool {
	return s == OfferAccepted || s == OfferDelivered || s == OfferLost
}

// Attempt is one try to send one message.
type Attempt struct {
	Offer    string
	Lead     int64
	Kind     string // the type of the message
	At       time.Time
	Took     time.Duration
	Status   int
	Failure  string
	Answer   string // its first kilobyte
	Decision string
	URL      string
}

// Unknown is the decision of a message that was sent, as far as is known, by a process that ended before it wrote down an answer.
const Unknown = "unknown"

// MaxAnswer is how much of an answer is kept.
const MaxAnswer = 1 << 10

// Held is a lead that waits for somebody to cover it.
type Held struct {
	Lead    int64
	Service lead.Service
	ZIP     string
}
