package buyer

import (
	"time"

	"foyer/internal/lead"
)

// Entry is one line of a buyer's account. Entries are added and never changed: a mistake is put right by a correction.
type Entry struct {
	Seq       int64
	Buyer     string
	At        time.Time
	Kind      EntryKind
	Amount    Cents // what the buyer owes more, or less if negative
	Offer     string
	LeadID    string // as the buyer knows it
	Service   lead.Service
	Note      string
	Statement string // the closed statement that has it, or ""
}

// EntryKind is the kind of an entry.
type EntryKind string

// The kinds of entries.
const (
	EntryCharge     EntryKind = "charge"     // a lead was delivered
	EntryReturn     EntryKind = "return"     // a return was approved
	EntryPayment    EntryKind = "payment"    // the buyer paid
	EntryCorrection EntryKind = "correction" // entered by the operator
)

// Charge returns the entry for an offer whose contact was acknowledged, or false if the lead costs nothing.
func (o Offer) Charge(l lead.Lead, at time.Time) (Entry, bool) {
	return o.entry(EntryCharge, o.Price, l, at), o.Price != 0
}

// Credit returns the entry for an offer whose return was approved, or false if the lead cost nothing.
func (o Offer) Credit(l lead.Lead, at time.Time) (Entry, bool) {
	return o.entry(EntryReturn, -o.Price, l, at), o.Price != 0
}

func (o Offer) entry(kind EntryKind, amount Cents, l lead.Lead, at time.Time) Entry {
	return Entry{Buyer: o.Buyer, At: at, Kind: kind, Amount: amount, Offer: o.ID, LeadID: o.LeadIDOf(l), Service: l.Request.Service}
}
