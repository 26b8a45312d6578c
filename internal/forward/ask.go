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
	if waited != nil {
		if v, err := t.consider(waited, l, hist); err != nil {
			return nil, err
		} else if v.Exclusion.Rule == "" {
			return t.offer(d, l, waited, hist)
		}
	}
	to, err := t.nextBuyer(l, hist)
	if err != nil {
		return nil, err
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
		LeadID: lead.IDForBuyer(t.f.LeadIDKey, l.ID, to.ID), Price: to.Terms.Price(l.Request.Service),
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

// nextBuyer returns the buyer to ask: the first by priority, and among equals the one asked least recently (round robin). It is no auction,
// bidding or ping tree: the price does not count.
func (t *txn) nextBuyer(l lead.Lead, hist *history) (*buyer.Candidate, error) {
	var best View
	for c := range t.f.Coverage().In(l.Request.Service, l.Request.ZIP, l.Request.Contact.Phone) {
		if best.To != nil && c.Terms.Priority != best.To.Terms.Priority {
			break
		}
		v, err := t.consider(c, l, hist)
		switch {
		case err != nil:
			return nil, err
		case v.Exclusion.Rule != "":
			hist.passOver(c, v.Exclusion)
		case best.To == nil || v.Health.Asked.Before(best.Health.Asked):
			best = v
		}
	}
	return best.To, nil
}

// consider finds the rule that keeps a buyer from being asked, if any, and remembers when it may no longer apply.
func (v view) consider(c *buyer.Candidate, l lead.Lead, hist *history) (View, error) {
	h, err := v.health(c.ID)
	if err != nil {
		return View{}, err
	}
	facts := buyer.Facts{Health: h, Round: hist.since, Duplicate: slices.Contains(hist.soldTo, c.ID), Used: func(period buyer.Period) (buyer.Usage, error) { return v.Used(c.ID, period) }}
	for _, o := range hist.offers {
		if o.Buyer == c.ID {
			facts.Offers = append(facts.Offers, o)
		}
	}
	excl, err := c.Exclude(l, facts, v.now)
	if !excl.Until.IsZero() {
		hist.wakeAt[c.ID] = excl.Until
	}
	return View{c, excl, h}, err
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
		if err := t.wakeAt(id, at); err != nil {
			return err
		}
	}
	reason := "nobody who covers it can be asked now"
	if len(hist.offers) > 0 {
		reason = "nobody who covers it took it"
	}
	return t.end(hist.fingerprint, d, lead.Collected, reason, hist.passedOver...)
}
