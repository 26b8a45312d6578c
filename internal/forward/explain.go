package forward

import (
	"time"

	"foyer/internal/buyer"
)

// View is what the forwarder makes of one buyer for one lead.
type View struct {
	To        *buyer.Prospect
	Exclusion buyer.Exclusion
	Standing  buyer.Standing
}

// Explain looks at every buyer as it is looked at when a lead asks for the next one, and says why the lead is not passed
// on at all, if it is not. What the forwarder notes on the way is noted here too: who only wants to know gives the page up.
func Explain(p Page, c *buyer.Coverage, suppressed func(phone string) bool, seq int64, now time.Time) (barred string, views []View, err error) {
	f := &Forwarder{Suppressed: suppressed, Now: func() time.Time { return now }}
	t := f.turn(p)
	l, err := t.LeadAt(seq)
	if err != nil {
		return "", nil, err
	}
	if barred = f.barred(l); barred != "" {
		return barred, nil, nil
	}
	e, found, err := t.Errand(seq)
	if err != nil {
		return "", nil, err
	}
	if !found {
		e = buyer.Errand{Lead: seq, Since: t.now, Token: 1} // a new round would begin now, and it is not the first
	}
	past, err := t.past(e, &l)
	if err != nil {
		return "", nil, err
	}
	for _, to := range c.All() {
		x, err := t.exclusion(to, l, past)
		if err != nil {
			return "", nil, err
		}
		s, err := t.standing(to.ID)
		if err != nil {
			return "", nil, err
		}
		views = append(views, View{to, x, *s})
	}
	return "", views, nil
}
