package forward

import (
	"slices"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// ask finds the buyer whose turn it is and makes an offer, or holds the lead where there is none. An errand that waited
// in a buyer's lane asks that one first.
func (t *txn) ask(e buyer.Delivery, l lead.Lead, waited *buyer.Candidate) (*task, error) {
	past, err := t.past(e, l)
	if err != nil {
		return nil, err
	}
	if mark := t.withhold(l, past); !past.entered && mark != "" {
		return nil, t.withholdLead(e, l, past, mark)
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
func (t *txn) offer(e buyer.Delivery, l lead.Lead, to *buyer.Candidate, past *past) (*task, error) {
	s, err := t.health(to.ID)
	if err != nil {
		return nil, err
	}
	t.dirty[to.ID] = true
	t.asked++
	s.Asked = t.now.Add(time.Duration(t.asked) * time.Microsecond) // it had its turn, even if it has no slot free
	if !t.slot(to.ID) {
		e.BuyerQueue = to.ID
		return nil, t.PutDelivery(e)
	}
	*s = s.Ask(t.now)
	offer := buyer.Offer{
		ID: t.f.NewID("offer_", t.now), Lead: e.Lead, Buyer: to.ID, At: t.now, State: buyer.OfferOpen, OneStep: to.Terms.OneStep,
		LeadID: lead.IDForBuyer(t.f.LeadIDKey, l.ID, to.ID),
	}
	if err := t.AddOffer(offer, past.passedOver...); err != nil {
		return nil, err
	}
	e.BuyerQueue, e.Step, e.Offer, e.Attempts, e.MayHaveContact = to.ID, buyer.StepOffer, offer.ID, 0, false
	if offer.OneStep {
		e.Step = buyer.StepDeliver
	}
	return t.lease(task{delivery: e, lead: l, fingerprint: past.fingerprint, offer: offer, to: to})
}

// past is what happened to a lead, and to others of the same person, before.
type past struct {
	since       time.Time
	offers      []buyer.Offer
	fingerprint string
	entered     bool             // it was put on the market before
	others      []lead.OtherLead // of the same phone number
	soldTo      []string         // who accepted another lead for the same work
	wakes       map[string]time.Time
	passedOver  []buyer.PassedOver
}

// past looks a lead's past up. It writes nothing.
func (m view) past(e buyer.Delivery, l lead.Lead) (*past, error) {
	p := &past{since: e.Since, wakes: make(map[string]time.Time), fingerprint: m.people.fingerprint(l)}
	since, unkeyed := l.CreatedAt.Add(-lead.RepeatWindow), l.Request.UnkeyedFingerprint()
	from, to := m.people.compared(p.fingerprint)
	var err error
	if p.others, p.entered, err = m.LeadsOfPhone(p.fingerprint, from, to, unkeyed, e.Lead, since); err != nil {
		return nil, err
	}
	if lead.Repeats(p.fingerprint, l.CreatedAt, p.others) {
		if p.soldTo, err = m.SoldTo(p.fingerprint, unkeyed, since); err != nil {
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
func (t *txn) next(l lead.Lead, past *past) (*buyer.Candidate, error) {
	var best *buyer.Candidate
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
		s, err := t.health(p.ID)
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
func (m view) exclusion(p *buyer.Candidate, l lead.Lead, past *past) (buyer.Exclusion, error) {
	s, err := m.health(p.ID)
	if err != nil {
		return buyer.Exclusion{}, err
	}
	facts := buyer.Facts{Health: *s, Round: past.since, Duplicate: slices.Contains(past.soldTo, p.ID), Used: func(period buyer.Period) (int, error) { return m.Used(p.ID, period) }}
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

// maxPassedOver bounds how many buyers an offer names that were passed over.
const maxPassedOver = 20

// passOver notes a buyer that covers the lead and is not asked about it now. One in test is not on the market yet.
func (p *past) passOver(to *buyer.Candidate, x buyer.Exclusion) {
	if to.State != buyer.Testing && len(p.passedOver) < maxPassedOver {
		p.passedOver = append(p.passedOver, buyer.PassedOver{Buyer: to.ID, Name: to.Terms.Name, Rule: x.Rule, Reason: x.Reason})
	}
}

// hold puts a lead aside that nobody can be asked about now, and notes when to look again.
func (t *txn) hold(e buyer.Delivery, past *past) error {
	for id, at := range past.wakes {
		s, err := t.health(id)
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
func (t *txn) endHeld(e buyer.Delivery, past *past, reason string) error {
	if err := t.EndDelivery(e.Lead); err != nil {
		return err
	}
	change := lead.Change{At: t.now, Status: lead.Collected, Actor: lead.ByService, Reason: reason}
	if err := t.Hold(e.Lead, change, past.passedOver); err != nil {
		return err
	}
	return t.LeaveMarket(past.fingerprint, t.now)
}
