package lead

import "time"

// RepeatWindow is how long a second request of a person for the same work is a repeat.
const RepeatWindow = 30 * 24 * time.Hour

// OtherLead is another lead of the same phone number that was put on the market.
type OtherLead struct {
	Fingerprint string
	At          time.Time // when it was taken in
	Status      Status
}

// RepeatRules are how many leads of one person go on the market.
type RepeatRules struct {
	Window       time.Duration // how long after a sale the same request is not sold again; 0 for off
	MaxPerPeriod int           // leads of one phone number in a period; 0 for no limit
	Period       time.Duration
}

// Withhold says by which mark a lead is kept off the market, or "". Others are the leads of the same phone number that were
// put on it; entered says that this one was already, so that it does not count against its own limit.
func (r RepeatRules) Withhold(fingerprint string, at time.Time, entered bool, others []OtherLead) Mark {
	near := 0
	for _, o := range others {
		apart := o.At.Sub(at).Abs()
		if o.Fingerprint == fingerprint && apart < RepeatWindow && r.blocks(o.Status, apart) {
			return Duplicate
		}
		if apart < r.Period {
			near++
		}
	}
	if r.MaxPerPeriod > 0 && !entered && near >= r.MaxPerPeriod {
		return ManyRequests
	}
	return ""
}

// blocks says whether a lead that asks for the same keeps another off the market: while it is on it, and for a while after a
// buyer has the contact, or may have it.
func (r RepeatRules) blocks(status Status, apart time.Duration) bool {
	switch status {
	case Received:
		return true
	case Forwarded, Errored:
		return apart < r.Window
	}
	return false
}

// Repeats says whether one of the others asks for the same.
func Repeats(fingerprint string, at time.Time, others []OtherLead) bool {
	for _, o := range others {
		if o.Fingerprint == fingerprint && o.At.Sub(at).Abs() < RepeatWindow {
			return true
		}
	}
	return false
}
