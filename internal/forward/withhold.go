package forward

import (
	"slices"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// PersonRules are by what leads of one person are known, and how many of them are passed on.
type PersonRules struct {
	Key           []byte // of the fingerprints
	Rules         lead.RepeatRules
	HoldAutomated bool // what looks like the work of a program is held until the operator releases it
}

func (p PersonRules) fingerprint(l lead.Lead) string { return l.Request.Fingerprint(p.Key) }

// compared is the range of fingerprints that a lead is compared with: those of its phone number, or its own alone where
// nobody limits these.
func (p PersonRules) compared(print string) (from, to string) {
	if p.Rules.MaxPerPeriod == 0 {
		return print, print + "0"
	}
	return lead.PhoneRange(print)
}

// withheldFor says in words why a lead is kept off the market.
var withheldFor = map[lead.Mark]string{
	lead.Duplicate:    "it repeats another request of this person, which is on the market or was sold",
	lead.ManyRequests: "this phone number sent more requests than phone-limit allows",
}

// withhold says by which mark a lead is kept off the market, or "".
func (m view) withhold(l lead.Lead, past *past) lead.Mark {
	return m.people.Rules.Withhold(past.fingerprint, l.CreatedAt, past.entered, past.others)
}

// withholdLead holds a lead that is not put on the market, until the operator or the end of the other one does so.
func (t *txn) withholdLead(e buyer.Delivery, l lead.Lead, past *past, mark lead.Mark) error {
	if err := t.mark(e.Lead, &l, mark); err != nil {
		return err
	}
	if err := t.EndDelivery(e.Lead); err != nil {
		return err
	}
	change := lead.Change{At: t.now, Status: lead.Collected, Actor: lead.ByService, Reason: withheldFor[mark]}
	if err := t.Hold(e.Lead, change, nil); err != nil {
		return err
	}
	return t.Withhold(e.Lead, mark, past.fingerprint, l.CreatedAt)
}

// enter puts a lead on the market. One that asks for the same as another is marked.
func (t *txn) enter(seq int64, l *lead.Lead, past *past) error {
	if lead.Repeats(past.fingerprint, l.CreatedAt, past.others) {
		if err := t.mark(seq, l, lead.Duplicate); err != nil {
			return err
		}
	}
	if past.entered {
		return nil
	}
	return t.EnterMarket(past.fingerprint, seq, l.CreatedAt)
}

// mark marks a lead, once.
func (t *txn) mark(seq int64, l *lead.Lead, mark lead.Mark) error {
	if slices.Contains(l.Marks, mark) {
		return nil
	}
	l.Marks = append(l.Marks, mark)
	return t.Mark(seq, l.Marks)
}
