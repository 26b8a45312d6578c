package forward

import (
	"time"

	"foyer/internal/buyer"
)

// View is what the forwarder makes of one buyer for one lead.
type View struct {
	To        *buyer.Candidate
	Exclusion buyer.Exclusion
	Health    buyer.Health
}

// Explain looks at every buyer as it is looked at when a lead asks for the next one, and says why the lead is not passed
// on at all, if it is not. It writes nothing.
func Explain(p Tx, c *buyer.Coverage, people PersonRules, suppressed func(phone string) bool, seq int64, now time.Time) (reason string, views []View, err error) {
	m := newView(p, people, now)
	l, err := m.LeadBySeq(seq)
	if err != nil {
		return "", nil, err
	}
	if reason = rejectReason(l, suppressed); reason != "" {
		return reason, nil, nil
	}
	e, found, err := m.Delivery(seq)
	if err != nil {
		return "", nil, err
	}
	if !found {
		e = buyer.Delivery{Lead: seq, Since: m.now, Token: 1} // a new round would begin now, and it is not the first
	}
	past, err := m.past(e, l)
	if err != nil {
		return "", nil, err
	}
	if mark, err := m.Withheld(seq); err != nil || mark != "" {
		return withheldFor[mark], nil, err
	}
	for _, to := range c.All() {
		x, err := m.exclusion(to, l, past)
		if err != nil {
			return "", nil, err
		}
		s, err := m.health(to.ID)
		if err != nil {
			return "", nil, err
		}
		views = append(views, View{to, x, *s})
	}
	return "", views, nil
}
