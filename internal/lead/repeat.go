package lead

import (
	"slices"
	"time"
)

// RepeatWindow is how long a second request of a person for the same work counts as a repeat. Repeats are kept and marked: to dedupe is not
// to sell the same request twice.
const RepeatWindow = 30 * 24 * time.Hour

// OtherLead is another lead of the same phone number that was offered to buyers.
type OtherLead struct {
	Fingerprint string
	At          time.Time // when it arrived
	Status      Status
}

// RepeatRules limit how many leads of one person are offered to buyers.
type RepeatRules struct {
	Window       time.Duration // the same request is not sold again if both were received within it; 0 means off
	MaxPerPeriod int           // leads of one phone number in a period; 0 means no limit
	Period       time.Duration
}

// Withhold returns the mark that withholds a lead from buyers, or "". others are the leads of the same phone number that
// were offered to buyers. offered means that this lead already was, so that it does not count against its own limit.
func (r RepeatRules) Withhold(fingerprint string, at time.Time, offered bool, others []OtherLead) Mark {
	inPeriod := 0
	for _, o := range others {
		apart := o.At.Sub(at).Abs()
		if o.Fingerprint == fingerprint && apart < RepeatWindow && r.blocks(o.Status, apart) {
			return Duplicate
		}
		if apart < r.Period {
			inPeriod++
		}
	}
	if r.MaxPerPeriod > 0 && !offered && inPeriod >= r.MaxPerPeriod {
		return ManyRequests
	}
	return ""
}

// blocks reports whether a lead for the same work blocks another one: while it is on offer, and once a buyer has the contact, or may
// have it, if both were received within r.Window. When it was sold does not matter.
func (r RepeatRules) blocks(status Status, apart time.Duration) bool {
	switch status {
	case Received:
		return true
	case Forwarded, Errored:
		return apart < r.Window
	}
	return false
}

// Repeats reports whether one of the other leads is for the same work.
func Repeats(fingerprint string, at time.Time, others []OtherLead) bool {
	return slices.ContainsFunc(others, func(o OtherLead) bool {
		return o.Fingerprint == fingerprint && o.At.Sub(at).Abs() < RepeatWindow
	})
}

// ExpiredReason is why a lead was closed that was held for too long.
const ExpiredReason = "held for as long as hold-days says"

// WithholdReasons explain, in the history of a lead, why it is withheld from the market.
var WithholdReasons = map[Mark]string{
	Duplicate:    "it repeats another request of this person, which is on the market or was sold",
	ManyRequests: "this phone number sent more requests than phone-limit allows",
}

// IsWithholdReason reports whether a reason in the history says that the lead is withheld.
func IsWithholdReason(reason string) bool {
	for _, known := range WithholdReasons {
		if reason == known {
			return true
		}
	}
	return false
}
