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
	past, err := t.past(e, l)
	if err != nil {
		return nil, err
	}
	if mark := t.withhold(l, past); !past.entered && mark != "" {
		return nil, t.keepOff(e, l, past, mark)
	}
	if err := t.enter(e.Lead, &l, past); err != nil {
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
	return t.offer(e, l, to, past)
}

// offer offers a lead to a buyer, or has it wait in the buyer's lane for a slot.
func (t *turn) offer(e buyer.Errand, l lead.Lead, to *buyer.Prospect, past *past) (*task, error) {
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
	offer := buyer.Offer{
		ID: t.f.NewID("offer_", t.now), Lead: e.Lead, Buyer: to.ID, At: t.now, State: buyer.Open, OneStep: to.Terms.OneStep,
		LeadID: lead.IDForBuyer(t.f.LeadIDKey, l.ID, to.ID),
	}
	if err := t.AddOffer(offer, past.passedOver...); err != nil {
		return nil, err
	}
	e.Lane, e.Step, e.Offer, e.Attempts, e.MayHaveContact = to.ID, buyer.Propose, offer.ID, 0, false
	if offer.OneStep {
		e.Step = buyer.Deliver
	}
	return t.lease(task{errand: e, lead: l, print: past.print, offer: offer, to: to})
}

// past is what happened to a lead, and to others of the same person, before.
type past struct {
	since      time.Time
	offers     []buyer.Offer
	print      string
	entered    bool          // it was put on the market before
	others     []lead.Passed // of the same phone number
	owners     []string      // who accepted another lead for the same work
	wakes      map[string]time.Time
	passedOver []buyer.PassedOver
}

// past looks a lead's past up. It writes nothing.
func (m moment) past(e buyer.Errand, l lead.Lead) (*past, error) {
	p := &past{since: e.Since, wakes: make(map[string]time.Time), print: m.people.print(l)}
	since, unkeyed := l.CreatedAt.Add(-lead.RepeatWindow), l.Request.UnkeyedFingerprint()
	from, to := m.people.compared(p.print)
	var err error
	if p.others, p.entered, err = m.Passed(p.print, from, to, unkeyed, e.Lead, since); err != nil {
		return nil, err
	}
	if lead.Repeats(p.print, l.CreatedAt, p.others) {
		if p.owners, err = m.Owners(p.print, unkeyed, since); err != nil {
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
			past.passOver(p, x)
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

// exclusion finds the rule by which a buyer is not asked, and notes when it may no longer hold.
func (m moment) exclusion(p *buyer.Prospect, l lead.Lead, past *past) (buyer.Exclusion, error) {
	s, err := m.standing(p.ID)
	if err != nil {
		return buyer.Exclusion{}, err
	}
	facts := buyer.Facts{Standing: *s, Round: past.since, Twin: slices.Contains(past.owners, p.ID), Used: func(period buyer.Period) (int, error) { return m.Used(p.ID, period) }}
	for _, o := range past.offers {
		if o.Buyer == p.ID {
			facts.Offers = append(facts.Offers, o)
		}
	}
	x, err := p.Exclude(l, facts, m.now)
	if !x.Until.IsZero() {
		past.wakes[p.ID] = x.Until
	}
	return x, err
}

// mostPassedOver bounds how many buyers an offer names that were passed over.
const mostPassedOver = 20

// passOver notes a buyer that covers the lead and is not asked about it now. One in test is not on the market yet.
func (p *past) passOver(to *buyer.Prospect, x buyer.Exclusion) {
	if to.State != buyer.Testing && len(p.passedOver) < mostPassedOver {
		p.passedOver = append(p.passedOver, buyer.PassedOver{Buyer: to.ID, Name: to.Terms.Name, Rule: x.Rule, Reason: x.Reason})
	}
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
	return t.endHeld(e, past, reason)
}

// endHeld takes a lead off its way and holds it.
func (t *turn) endHeld(e buyer.Errand, past *past, reason string) error {
	if err := t.EndErrand(e.Lead); err != nil {
		return err
	}
	change := lead.Change{At: t.now, Status: lead.Collected, Actor: lead.ByService, Reason: reason}
	if err := t.Hold(e.Lead, change, past.passedOver); err != nil {
		return err
	}
	return t.LeftMarket(past.print, t.now)
}
