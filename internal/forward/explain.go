package forward

import (
	"slices"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// View is what the forwarder would decide about one buyer for one lead.
type View struct {
	To        *buyer.Candidate
	Exclusion buyer.Exclusion
	Health    buyer.Health
}

// Explain evaluates every buyer by the rules that choose the next one for a lead. If the lead is not forwarded at all, it
// returns the reason. It writes nothing.
func Explain(tx *store.Tx, c *buyer.Coverage, persons PersonRules, suppressed func(phone string) bool, seq int64, now time.Time) (reason string, views []View, err error) {
	v := newView(tx, persons, now)
	l, err := v.LeadBySeq(seq)
	if err != nil {
		return "", nil, err
	}
	if reason = rejectReason(l, suppressed); reason != "" {
		return reason, nil, nil
	}
	d, found, err := v.Delivery(seq)
	if err != nil {
		return "", nil, err
	}
	if !found {
		d = buyer.Delivery{Lead: seq, Since: v.now, Token: 1} // a new round would begin now, and it is not the first
	}
	hist, err := v.history(d, l)
	if err != nil {
		return "", nil, err
	}
	if mark, err := v.Withheld(seq); err != nil || mark != "" {
		return lead.WithholdReasons[mark], nil, err
	}
	if !found && v.heldOnArrival(l, hist) {
		return heldReason(l), nil, nil
	}
	for _, to := range c.All() {
		view, err := v.consider(to, l, hist)
		if err != nil {
			return "", nil, err
		}
		views = append(views, view)
	}
	return "", views, nil
}

// heldReason says why a lead is held since it came, and what puts it on the market.
func heldReason(l lead.Lead) string {
	if slices.Contains(l.Marks, lead.SourceHeld) {
		return "it names a source that is blocked. Release it to let buyers be asked"
	}
	return "it looks automated. Release it to let buyers be asked"
}
