package forward

import (
	"slices"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// PersonRules says how leads of one person are recognized, and how many of them are forwarded.
type PersonRules struct {
	Key           []byte // for fingerprints
	Rules         lead.RepeatRules
	HoldAutomated bool // hold leads that look automated until the operator releases them
}

func (p PersonRules) fingerprint(l lead.Lead) string { return l.Request.Fingerprint(p.Key) }

// comparedRange returns the range of fingerprints to compare a lead with: those of its phone number, or only its own if
// there is no limit per phone number.
func (p PersonRules) comparedRange(fingerprint string) (from, to string) {
	if p.Rules.MaxPerPeriod == 0 {
		return fingerprint, fingerprint + "0"
	}
	return lead.PhoneRange(fingerprint)
}

// withholdMark returns the mark for which a lead is withheld, or "".
func (v view) withholdMark(l lead.Lead, hist *history) lead.Mark {
	return v.persons.Rules.Withhold(hist.fingerprint, l.CreatedAt, hist.entered, hist.others)
}

// withholdLead holds a lead that may not go on the market until the operator releases it or the other lead leaves the market.
func (t *txn) withholdLead(d buyer.Delivery, l lead.Lead, hist *history, mark lead.Mark) error {
	if err := t.EndDelivery(d.Lead); err != nil {
		return err
	}
	change := lead.Change{At: t.now, Status: lead.Collected, Actor: lead.ByService, Reason: lead.WithholdReasons[mark]}
	if err := t.Change(d.Lead, lead.Received, change); err != nil {
		return err
	}
	return t.withhold(d.Lead, l, hist, mark)
}

// withhold keeps a held lead off the market, and marks it with the reason.
func (t *txn) withhold(seq int64, l lead.Lead, hist *history, mark lead.Mark) error {
	if err := t.mark(seq, &l, mark); err != nil {
		return err
	}
	return t.Withhold(seq, mark, hist.fingerprint, l.CreatedAt)
}

// enter puts a lead on the market, and marks it as a duplicate if it repeats another.
func (t *txn) enter(seq int64, l *lead.Lead, hist *history) error {
	if lead.Repeats(hist.fingerprint, l.CreatedAt, hist.others) {
		if err := t.mark(seq, l, lead.Duplicate); err != nil {
			return err
		}
	}
	if hist.entered {
		return nil
	}
	return t.EnterMarket(hist.fingerprint, seq, l.CreatedAt)
}

// mark adds a mark to a lead, once.
func (t *txn) mark(seq int64, l *lead.Lead, mark lead.Mark) error {
	if slices.Contains(l.Marks, mark) {
		return nil
	}
	l.Marks = append(l.Marks, mark)
	return t.Mark(seq, l.Marks)
}
