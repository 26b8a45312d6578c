package forward

import (
	"slices"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// ask makes an offer to the next buyer, or holds the lead if there is none. A delivery that waited in a buyer's queue
// offers the lead to that buyer first.
func (t *txn) ask(d buyer.Delivery, l lead.Lead, waited *buyer.Candidate) (*task, error) {
	hist, err := t.history(d, l)
	if err != nil {
		return nil, err
	}
	if mark := t.withholdMark(l, hist); !hist.entered && mark != "" {
		return nil, t.withholdLead(d, l, hist, mark)
	}
	if err := t.enter(d.Lead, &l, hist); err != nil {
		return nil, err
	}
	to := waited
	if to != nil {
		if excl, err := t.exclusion(to, l, hist); err != nil {
			return nil, err
		} else if excl.Rule != "" {
			to = nil
		}
	}
	if to == nil {
		if to, err = t.nextBuyer(l, hist); err != nil {
			return nil, err
		}
	}
	if to == nil {
		return nil, t.hold(d, hist)
	}
	return t.offer(d, l, to, hist)
}

// offer offers a lead to a buyer, or puts it in the buyer's queue if no slot is free.
func (t *txn) offer(d buyer.Delivery, l lead.Lead, to *buyer.Candidate, hist *history) (*task, error) {
	h, err := t.health(to.ID)
	if err != nil {
		return nil, err
	}
	t.asked++
	h.Asked = t.now.Add(time.Duration(t.asked) * time.Microsecond) // also if it has no free slot
	t.changed[to.ID] = h
	if !t.acquireSlot(to.ID) {
		d.BuyerQueue = to.ID
		return nil, t.PutDelivery(d)
	}
	t.changed[to.ID] = h.Ask(t.now)
	offer := buyer.Offer{
		ID: t.f.NewID("offer_", t.now), Lead: d.Lead, Buyer: to.ID, At: t.now, State: buyer.OfferOpen, OneStep: to.Terms.OneStep,
		LeadID: lead.IDForBuyer(t.f.LeadIDKey, l.ID, to.ID),
	}
	if err := t.AddOffer(offer, hist.passedOver...); err != nil {
		return nil, err
	}
	d.BuyerQueue, d.Step, d.Offer, d.Attempts, d.MayHaveContact = to.ID, buyer.StepOffer, offer.ID, 0, false
	if offer.OneStep {
		d.Step = buyer.StepDeliver
	}
	return t.lease(task{delivery: d, lead: l, fingerprint: hist.fingerprint, offer: offer, to: to})
}

// history is what happened before to a lead, and to other leads of the same person.
type history struct {
	since       time.Time
	offers      []buyer.Offer
	fingerprint string
	entered     bool             // the lead was put on the market before
	others      []lead.OtherLead // leads of the same phone number
	soldTo      []string         // buyers that accepted another lead of the person for the same work
	wakeAt      map[string]time.Time
	passedOver  []buyer.PassedOver
}

// history reads the history of a lead. It writes nothing.
func (v view) history(d buyer.Delivery, l lead.Lead) (*history, error) {
	hist := &history{since: d.Since, wakeAt: make(map[string]time.Time), fingerprint: v.persons.fingerprint(l)}
	since := l.CreatedAt.Add(-lead.RepeatWindow)
	from, to := v.persons.comparedRange(hist.fingerprint)
	var err error
	if hist.others, hist.entered, err = v.LeadsOfPhone(from, to, d.Lead, since); err != nil {
		return nil, err
	}
	if lead.Repeats(hist.fingerprint, l.CreatedAt, hist.others) {
		if hist.soldTo, err = v.SoldTo(hist.fingerprint, since); err != nil {
			return nil, err
		}
	}
	if d.Token == 0 && d.Since.Equal(l.CreatedAt) {
		return hist, nil // a new lead: no buyer was asked yet
	}
	hist.offers, err = v.Offers(d.Lead)
	return hist, err
}

// nextBuyer returns the buyer to ask: the first by priority, and among equals the one asked least recently.
func (t *txn) nextBuyer(l lead.Lead, hist *history) (*buyer.Candidate, error) {
	var best *buyer.Candidate
	var waited time.Time
	for c := range t.f.Coverage().In(l.Request.Service, l.Request.ZIP) {
		if best != nil && c.Terms.Priority != best.Terms.Priority {
			break
		}
		excl, err := t.exclusion(c, l, hist)
		if err != nil {
			return nil, err
		}
		if excl.Rule != "" {
			hist.passOver(c, excl)
			continue
		}
		h, err := t.health(c.ID)
		if err != nil {
			return nil, err
		}
		if best == nil || h.Asked.Before(waited) {
			best, waited = c, h.Asked
		}
	}
	return best, nil
}

// exclusion finds the rule that keeps a buyer from being asked, and remembers when it may no longer apply.
func (v view) exclusion(c *buyer.Candidate, l lead.Lead, hist *history) (buyer.Exclusion, error) {
	h, err := v.health(c.ID)
	if err != nil {
		return buyer.Exclusion{}, err
	}
	facts := buyer.Facts{Health: h, Round: hist.since, Duplicate: slices.Contains(hist.soldTo, c.ID), Used: func(period buyer.Period) (int, error) { return v.Used(c.ID, period) }}
	for _, o := range hist.offers {
		if o.Buyer == c.ID {
			facts.Offers = append(facts.Offers, o)
		}
	}
	excl, err := c.Exclude(l, facts, v.now)
	if !excl.Until.IsZero() {
		hist.wakeAt[c.ID] = excl.Until
	}
	return excl, err
}

// maxPassedOver bounds how many passed-over buyers are recorded with an offer.
const maxPassedOver = 20

// passOver remembers a buyer that covers the lead and is not asked now. A buyer in test is left out: it gets no leads yet.
func (hist *history) passOver(to *buyer.Candidate, excl buyer.Exclusion) {
	if to.State != buyer.Testing && len(hist.passedOver) < maxPassedOver {
		hist.passedOver = append(hist.passedOver, buyer.PassedOver{Buyer: to.ID, Name: to.Terms.Name, Rule: excl.Rule, Reason: excl.Reason})
	}
}

// hold holds a lead for which no buyer can be asked now, and schedules when to scan again.
func (t *txn) hold(d buyer.Delivery, hist *history) error {
	for id, at := range hist.wakeAt {
		h, err := t.health(id)
		if err != nil {
			return err
		}
		t.changed[id] = h.Wake(at)
	}
	reason := "nobody who covers it can be asked now"
	if len(hist.offers) > 0 {
		reason = "nobody who covers it took it"
	}
	return t.endHeld(d, hist, reason)
}

// endHeld ends the delivery of a lead and holds the lead.
func (t *txn) endHeld(d buyer.Delivery, hist *history, reason string) error {
	if err := t.EndDelivery(d.Lead); err != nil {
		return err
	}
	change := lead.Change{At: t.now, Status: lead.Collected, Actor: lead.ByService, Reason: reason}
	if err := t.Change(d.Lead, lead.Received, change, hist.passedOver...); err != nil {
		return err
	}
	return t.LeaveMarket(hist.fingerprint, t.now)
}
