package buyer

import (
	"cmp"
	"time"

	"foyer/internal/lead"
)

// Delivery is the work of forwarding a lead. Every lead with the status received has one, and no other lead does.
type Delivery struct {
	Lead       int64  // the lead's row
	BuyerQueue string // the buyer whose queue it is in, or "" while it has no buyer
	Step       Step
	DueAt      time.Time // when it can be claimed; while a process has it, when the lease ends
	Token      int64     // counts the claims: only the process with the latest token may settle it
	Owner      string    // the process that holds the lease, or ""
	Since      time.Time // when this round began
	Offer      string
	Attempts   int
	SentAt     time.Time // when the message in flight was claimed
	URL        string    // where it was sent
	// MayHaveContact is set with the lease of every StepDeliver. It is cleared if nothing was sent after all, and when the
	// buyer refused and the next one is asked.
	MayHaveContact bool
}

// Step is the next step of a delivery.
type Step string

// The steps of a delivery: find a buyer, send it the offer, send it the contact.
const (
	StepAsk     Step = "ask"
	StepOffer   Step = "offer"
	StepDeliver Step = "deliver"
)

// Offer is one offer of a lead to a buyer.
type Offer struct {
	ID      string
	Lead    int64
	Buyer   string
	At      time.Time
	State   OfferState
	Code    Code
	Ref     string
	OneStep bool
	LeadID  string // the lead id that this buyer sees; "" if it was sent the lead's own
	Price   Cents  // fixed when the offer was made
}

// LeadIDOf returns the id by which the buyer knows the lead of the offer.
func (o Offer) LeadIDOf(l lead.Lead) string { return cmp.Or(o.LeadID, l.ID) }

// OfferState is the state of an offer.
type OfferState string

// The states of an offer. An open offer counts toward the buyer's caps, and keeps counting unless it is declined or fails:
// see Counts.
const (
	OfferOpen      OfferState = "open"
	OfferAccepted  OfferState = "accepted"  // the contact is being delivered
	OfferDelivered OfferState = "delivered" // the contact was acknowledged
	OfferDeclined  OfferState = "declined"
	OfferFailed    OfferState = "failed"   // no decision, or the lead was withdrawn before there was one
	OfferLost      OfferState = "lost"     // accepted, or perhaps received, and never acknowledged: the lead is locked
	OfferReturned  OfferState = "returned" // delivered, and the operator approved the buyer's return
)

// OfferStates are all states of an offer.
var OfferStates = []OfferState{OfferOpen, OfferAccepted, OfferDelivered, OfferDeclined, OfferFailed, OfferLost, OfferReturned}

// Counts reports whether an offer counts toward the buyer's caps, and its price toward the money that the buyer has spent.
func (s OfferState) Counts() bool {
	return s == OfferOpen || s == OfferAccepted || s == OfferDelivered || s == OfferLost
}

// WasAccepted reports whether the buyer took the lead, or may have taken it.
func (s OfferState) WasAccepted() bool {
	return s == OfferAccepted || s == OfferDelivered || s == OfferLost || s == OfferReturned
}

// WasDelivered reports whether the buyer acknowledged the contact.
func (s OfferState) WasDelivered() bool { return s == OfferDelivered || s == OfferReturned }

// PassedOver is a buyer that was not asked, with the rule that excluded it and the reason in words. It includes the name,
// because the buyer may be removed by the time the history is read.
type PassedOver struct {
	Buyer  string `json:"buyer"`
	Name   string `json:"name"`
	Rule   string `json:"rule"`
	Reason string `json:"reason"`
}

// Counts counts the offers that a buyer got in a period by outcome, with their prices. Charged is the money for what was delivered,
// and Credited what was given back for returns.
type Counts struct {
	Used      Usage
	Offered   int
	Accepted  int
	Delivered int
	Returned  int
	Charged   Cents
	Credited  Cents
}

// Add adds other counts.
func (c *Counts) Add(other Counts) {
	c.Used.Leads += other.Used.Leads
	c.Used.Money += other.Used.Money
	c.Offered += other.Offered
	c.Accepted += other.Accepted
	c.Delivered += other.Delivered
	c.Returned += other.Returned
	c.Charged += other.Charged
	c.Credited += other.Credited
}

// Attempt is one attempt to send a message.
type Attempt struct {
	Offer    string
	Lead     int64
	Kind     string // the type of the message
	At       time.Time
	Took     time.Duration
	Status   int
	Failure  string
	Answer   string // the first MaxAnswer bytes
	Decision string
	URL      string
}

// Unknown is the decision of a message that was probably sent by a process that ended before it recorded an answer.
const Unknown = "unknown"

// MaxAnswer is how many bytes of an answer are stored.
const MaxAnswer = 1 << 10

// Held is a held lead, with what is needed to match it to a buyer.
type Held struct {
	Lead    int64
	Service lead.Service
	ZIP     string
	At      time.Time // when the lead was created, if that was asked for
}
