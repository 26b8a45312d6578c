package forward

import (
	"slices"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// ask finds the buyer whose turn it is and makes an offer, or holds the lead where there is none. An errand that waited
// in a buyer's lane asks that one first.
func (t *turn) ask(e buyer.Errand, l lead.Lead, waited *buyer.Prospect) (*task, error) {
	past, err := t.past(e, &l)
	if err != nil {
		return nil, err
	}
	to := waited
	if to != nil {
		if x, err := t.exclusion(to, l, past); err != nil {
			return nil, err
		} else if x.Rule != "" {
			to = nil
		}
	}
	if to == nil {
		if to, err = t.next(l, past); err != nil {
			return nil, err
		}
	}
	if to == nil {
		return nil, t.hold(e, past)
	}
	s, err := t.standing(to.ID)
	if err != nil {
		return nil, err
	}
	t.dirty[to.ID] = true
	t.asked++
	s.Asked = t.now.Add(time.Duration(t.asked) * time.Microsecond) // it had its turn, even if it has no slot free
	if !t.slot(to.ID) {
		e.Lane = to.ID
		return nil, t.PutErrand(e)
	}
	*s = s.Ask(t.now)
	offer := buyer.Offer{ID: t.f.NewID("offer_", t.now), Lead: e.Lead, Buyer: to.ID, At: t.now, State: buyer.Open, OneStep: to.Terms.OneStep}
	if err := t.AddOffer(offer); err != nil {
		return nil, err
	}
	e.Lane, e.Step, e.Offer, e.Attempts, e.MayHaveContact = to.ID, buyer.Propose, offer.ID, 0, false
	if offer.OneStep {
		e.Step = buyer.Deliver
	}
	return t.lease(task{errand: e, lead: l, offer: offer, to: to})
}

// past is what happened to a lead and its twins before.
type past struct {
	since  time.Time
	offers []buyer.Offer
	owners []string // who accepted an earlier lead for the same work
	wakes  map[string]time.Time
}

// past looks a lead's past up, and marks it where an earlier one asks for the same.
func (m moment) past(e buyer.Errand, l *lead.Lead) (*past, error) {
	p := &past{since: e.Since, wakes: make(map[string]time.Time)}
	since := l.CreatedAt.Add(-buyer.TwinWindow)
	twin, err := m.Twin(l.Request.Print(), e.Lead, l.CreatedAt, since)
	if err != nil {
		return nil, err
	}
	if twin && !slices.Contains(l.Marks, lead.Duplicate) {
		l.Marks = append(l.Marks, lead.Duplicate)
		if err := m.Mark(e.Lead, l.Marks); err != nil {
			return nil, err
		}
	}
	if twin {
		if p.owners, err = m.Owners(l.Request.Print(), since); err != nil {
			return nil, err
		}
	}
	if e.Token == 0 && e.Since.Equal(l.CreatedAt) {
		return p, nil // as it came in: nobody was asked yet
	}
	p.offers, err = m.Offers(e.Lead)
	return p, err
}

// next is the buyer to be asked: the first by priority, and among equals the one that waited longest.
func (t *turn) next(l lead.Lead, past *past) (*buyer.Prospect, error) {
	var best *buyer.Prospect
	var waited time.Time
	for p := range t.f.Coverage().In(l.Request.Service, l.Request.ZIP) {
		if best != nil && p.Terms.Priority != best.Terms.Priority {
			break
		}
		x, err := t.exclusion(p, l, past)
		if err != nil {
			return nil, err
		}
		if x.Rule != "" {
			continue
		}
		s, err := t.standing(p.ID)
		if err != nil {
			return nil, err
		}
		if best == nil || s.Asked.Before(waited) {
			best, waited = p, s.Asked
		}
	}
	return best, nil
}

// How soon a buyer is asked again about a lead that it did not take, but did not refuse for good.
const (
	afterFailure = 5 * time.Minute
	afterCap     = time.Hour
)

// exclusion finds the rule by which a buyer is not asked, and notes when it may no longer hold.
func (m moment) exclusion(p *buyer.Prospect, l lead.Lead, past *past) (buyer.Exclusion, error) {
	s, err := m.standing(p.ID)
	if err != nil {
		return buyer.Exclusion{}, err
	}
	facts := buyer.Facts{Standing: *s, Used: func(period buyer.Period) (int, error) { return m.Used(p.ID, period) }}
	var askAgainAt time.Time
	for _, o := range past.offers {
		if o.Buyer != p.ID {
			continue
		}
		facts.Refused = facts.Refused || o.State == buyer.Declined && o.Code.ForGood()
		if !o.At.Before(past.since) {
			facts.Tried = true
			askAgainAt = m.now.Add(afterFailure)
			if o.State == buyer.Declined {
				askAgainAt = m.now.Add(afterCap)
			}
		}
	}
	facts.Twin = slices.Contains(past.owners, p.ID)
	x, err := p.Exclude(l, facts, m.now)
	if x.Rule == buyer.RuleTried {
		x.Until = askAgainAt
	}
	if !x.Until.IsZero() {
		past.wakes[p.ID] = x.Until
	}
	return x, err
}

// hold puts a lead aside that nobody can be asked about now, and notes when to look again.
func (t *turn) hold(e buyer.Errand, past *past) error {
	for id, at := range past.wakes {
		s, err := t.standing(id)
		if err != nil {
			return err
		}
		*s, t.dirty[id] = s.Wake(at), true
	}
	reason := "nobody who covers it can be asked now"
	if len(past.offers) > 0 {
		reason = "nobody who covers it took it"
	}
	return t.end(e, lead.Collected, reason)
}
