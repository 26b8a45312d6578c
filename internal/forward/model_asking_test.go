package forward_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
)

// claimDue lets a process claim the due deliveries of a queue, and predicts which.
func (w *world) claimDue(p *process, queue string, limit int) {
	w.tick(time.Millisecond) // no two transactions have the same time
	var due []*modelLead
	for _, l := range w.leads {
		if l.status == lead.Received && l.queue == queue && !l.due.After(w.now) {
			due = append(due, l)
		}
	}
	slices.SortStableFunc(due, func(a, b *modelLead) int { return a.due.Compare(b.due) })
	if len(due) > 0 { // a process that claims something has the current buyers
		p.buyers = w.currentBuyers()
	}
	var predicted []*flight
	for _, l := range due[:min(len(due), limit)] {
		if f := w.claim(p, l); f != nil {
			predicted = append(predicted, f)
		}
	}
	tasks, err := p.ClaimDue(w.t.Context(), queue, limit)
	w.must(err)
	if len(due) > 0 {
		w.recordRefresh(p)
	}
	for i := range max(len(tasks), len(predicted)) {
		switch {
		case i >= len(predicted):
			w.t.Fatalf("%s to %s was taken, but the model says that there is nothing to send", tasks[i].Kind(), tasks[i].Offer().Buyer)
		case i >= len(tasks):
			w.t.Fatalf("%s of %s to %s was not taken", predicted[i].kind, predicted[i].of.ID, predicted[i].on.to)
		case tasks[i].Offer().ID != predicted[i].on.id || tasks[i].Offer().Buyer != predicted[i].on.to || tasks[i].Kind() != predicted[i].kind:
			w.t.Fatalf("%s was taken for %s, but the model says %s of %s to %s",
				tasks[i].Kind(), tasks[i].Offer().Buyer, predicted[i].kind, predicted[i].of.ID, predicted[i].on.to)
		}
		predicted[i].task = tasks[i]
	}
	w.flights = append(w.flights, predicted...)
}

// claim predicts what a process does with a due lead.
func (w *world) claim(p *process, l *modelLead) *flight {
	w.recordInterrupted(l)
	if w.mustReject(l) {
		w.reject(l)
		return nil
	}
	if l.step == buyer.StepAsk {
		return w.ask(p, l)
	}
	to, known := p.buyers[l.queue]
	gone := !known || to.State == buyer.Off                                     // it gets no more messages
	unseen := l.step == buyer.StepOffer || l.offer.oneStep && !l.mayHaveContact // the buyer does not have the contact
	switch {
	case gone && l.mayHaveContact:
		w.tally.count("a buyer is gone that may have the contact")
		w.lose(l, "")
		return nil
	case gone:
		w.tally.count("a buyer is gone that got nothing: %s", l.offer.state)
		l.offer.accepted = false // the contact was certainly not sent
		w.tryNextBuyer(l, buyer.OfferFailed, "")
		return nil
	case unseen && to.State != buyer.Active, l.step == buyer.StepOffer && w.now.After(l.offer.at.Add(time.Minute)):
		w.tryNextBuyer(l, buyer.OfferFailed, "")
		return nil
	case !p.slot(to.ID):
		return nil
	}
	return w.lease(p, l, to)
}

// ask predicts the buyer that gets the next offer.
func (w *world) ask(p *process, l *modelLead) *flight {
	if mark := w.withholdMark(l); mark != "" && !l.entered {
		w.endDelivery(l, lead.Collected)
		w.withhold(l, mark)
		return nil
	}
	w.enter(l)
	var fit []buyer.Buyer
	for _, id := range inOrder(p.buyers) {
		if b := p.buyers[id]; w.fits(b, l) && w.canAskNow(b, l) {
			fit = append(fit, b)
		}
	}
	if len(fit) == 0 {
		w.endDelivery(l, lead.Collected)
		return nil
	}
	to := slices.MinFunc(fit, func(a, b buyer.Buyer) int {
		return cmp.Or(cmp.Compare(a.Terms.Priority, b.Terms.Priority), cmp.Compare(w.buyer(a.ID).asked, w.buyer(b.ID).asked))
	})
	if i := slices.IndexFunc(fit, func(b buyer.Buyer) bool { return b.ID == l.queue }); i >= 0 {
		to = fit[i] // it waited for this buyer
	}
	w.t.Logf("%s: it is the turn of %s among %d", l.ID, to.ID, len(fit))
	w.asked++
	mb := w.buyer(to.ID)
	mb.asked = w.asked
	if !p.slot(to.ID) {
		w.tally.count("a lead waits in a queue")
		l.queue = to.ID
		return nil
	}
	if !mb.openUntil.IsZero() { // a probe
		w.tally.count("a buyer is probed")
		mb.openUntil, mb.failures = w.now.Add(buyer.Lease), 4
	}
	w.tally.count("a lead is offered to a buyer for the time no. %02d", len(l.offersTo(to.ID))+1)
	w.offers++
	o := &modelOffer{id: fmt.Sprintf("offer_%04d", w.offers), to: to.ID, at: w.now, price: to.Terms.Prices[l.Request.Service], oneStep: to.Terms.OneStep, state: buyer.OfferOpen, unlocks: l.unlocks}
	l.offers = append(l.offers, o)
	l.queue, l.step, l.offer, l.attempts, l.mayHaveContact = to.ID, buyer.StepOffer, o, 0, false
	if o.oneStep {
		l.step = buyer.StepDeliver
	}
	return w.lease(p, l, to)
}

// lease gives a lead to a process for buyer.Lease.
func (w *world) lease(p *process, l *modelLead, to buyer.Buyer) *flight {
	f := &flight{
		p: p, of: l, on: l.offer, kind: forward.LeadOffered, plain: to.Terms.PlainAccept, url: to.Terms.URL, secrets: to.Secrets, before: l.mayHaveContact, step: w.step, taken: w.now,
	}
	if l.step == buyer.StepDeliver {
		f.kind, l.mayHaveContact = forward.LeadDelivered, true
	}
	l.last, l.leased = f, true
	l.isDue(w.now.Add(buyer.Lease))
	return f
}

func (e *modelDelivery) isDue(at time.Time) { e.due, e.latest = at, at }

// slot acquires one of the slots of a buyer.
func (p *process) slot(id string) bool {
	if p.inUse[id] >= p.buyers[id].Terms.InFlight() {
		return false
	}
	p.inUse[id]++
	return true
}

// fits checks a lead against the rules that only a change can lift.
func (w *world) fits(b buyer.Buyer, l *modelLead) bool {
	d := b.Terms.Demands
	switch {
	case b.State != buyer.Active || !covers(b, l.Lead):
		return false
	case d.OwnForm && l.Evidence.Consent.Version != agreed.Version, d.Street && l.Request.Contact.Street == "",
		d.PlausiblePhone && slices.Contains(l.Marks, lead.ImplausiblePhone), d.NoDuplicates && l.duplicate:
		return false
	case slices.ContainsFunc(l.offers, func(o *modelOffer) bool { return o.to == b.ID && o.state == buyer.OfferDeclined && o.code.ForGood() }):
		return false
	case w.sold[l.fingerprint()][b.ID].After(l.CreatedAt.Add(-repeatWindow)) && w.hasDuplicate(l), len(l.offersTo(b.ID)) >= maxOffers:
		return false
	}
	return (b.Terms.Caps.Total == 0 || w.used(b.ID, always) < b.Terms.Caps.Total) && w.hasBalance(b, l)
}

// canAskNow checks a lead against the rules that time lifts.
func (w *world) canAskNow(b buyer.Buyer, l *modelLead) bool {
	if before := l.offersTo(b.ID); len(before) > 0 {
		last := before[len(before)-1].at
		if !last.Before(l.since) || last.After(b.UpdatedAt) && askAgainAt(b, before).After(w.now) { // a changed buyer is asked again
			return false
		}
	}
	return w.isAvailable(b, l)
}

// isAvailable reports whether a buyer takes such a lead now.
func (w *world) isAvailable(b buyer.Buyer, l *modelLead) bool {
	mb := w.buyer(b.ID)
	return isOpen(b.Terms.Hours, w.now) && !w.now.Before(mb.openUntil) && !w.now.Before(mb.quietUntil) && w.hasRoom(b, l)
}

// hasRoom checks the hourly, daily and monthly caps of a buyer in its time zone.
func (w *world) hasRoom(b buyer.Buyer, l *modelLead) bool {
	zone := zones[b.Terms.Hours.Zone]
	same := func(layout string) func(time.Time) bool {
		return func(at time.Time) bool { return at.In(zone).Format(layout) == w.now.In(zone).Format(layout) }
	}
	c := b.Terms.Caps
	return (c.Hour == 0 || w.used(b.ID, same("2006-01-02 15 MST")) < c.Hour) &&
		(c.Day == 0 || w.used(b.ID, same("2006-01-02")) < c.Day) &&
		(c.Month == 0 || w.used(b.ID, same("2006-01")) < c.Month) &&
		w.hasMoney(b, l, c.MoneyDay, same("2006-01-02")) && w.hasMoney(b, l, c.MoneyMonth, same("2006-01"))
}

func always(time.Time) bool { return true }

func (w *world) used(id string, in func(time.Time) bool) int { return len(w.counting(id, in)) }

// counting lists the offers that count toward the caps of a buyer.
func (w *world) counting(id string, in func(time.Time) bool) (list []*modelOffer) {
	for _, l := range w.leads {
		for _, o := range l.offers {
			if o.to == id && o.state != buyer.OfferDeclined && o.state != buyer.OfferFailed && o.state != buyer.OfferReturned && in(o.at) {
				list = append(list, o)
			}
		}
	}
	return list
}

// anyCovers reports whether an active buyer covers a lead.
func anyCovers(buyers map[string]buyer.Buyer, l lead.Lead) bool {
	for _, b := range buyers {
		if b.State == buyer.Active && covers(b, l) {
			return true
		}
	}
	return false
}

func covers(b buyer.Buyer, l lead.Lead) bool {
	named := func(patterns string) bool {
		for pattern := range strings.SplitSeq(patterns, ",") {
			if start, open := strings.CutSuffix(pattern, "*"); pattern == l.Request.ZIP || open && strings.HasPrefix(l.Request.ZIP, start) {
				return true
			}
		}
		return false
	}
	a := b.Terms.Area
	if b.Terms.Practice && l.Request.Contact.Phone == normalPhone {
		return false
	}
	return slices.Contains(b.Terms.Services, l.Request.Service) && !l.Request.Service.Live() && (a.ZIPs == "" || named(a.ZIPs)) &&
		(a.Excluded == "" || !named(a.Excluded)) && (len(a.States) == 0 || slices.Contains(a.States, stateOf[l.Request.ZIP]))
}

// queues lists the queues with a due delivery.
func (w *world) queues() []string {
	queues := make(map[string]bool)
	for _, l := range w.leads {
		if l.status == lead.Received && !l.due.After(w.now) {
			queues[l.queue] = true
		}
	}
	return inOrder(queues)
}

// claimSome claims from a queue with a due delivery.
func (w *world) claimSome() {
	w.claimDue(w.pickProcess(), pick(w, "queue", w.queues()), pick(w, "most", []int{64, 1, 2}))
}

// passOnce is one pass of a process: refresh, wake, claim, send, settle.
func (w *world) passOnce() { w.runOnce(w.pickProcess()) }

func (w *world) runOnce(p *process) {
	w.refresh(p)
	w.wake(p)
	w.stepScans(p, w.step%5)
	w.workAll(p) // in the middle of its scans
	w.finishScans(p)
	w.compare("work") // to see which repeats to check
	w.checkRepeats(p)
	w.workAll(p)
}

// workAll lets a process claim, send and settle everything that is due.
func (w *world) workAll(p *process) {
	for worked := true; worked; {
		for _, queue := range w.queues() {
			w.claimDue(p, queue, 64)
		}
		worked = false
		for _, f := range slices.Clone(w.flights) {
			if f.p == p {
				w.work(f)
				worked = true
			}
		}
	}
}
