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

// take lets a process take what is due in a lane, and foresees what.
func (w *world) take(p *process, lane string, most int) {
	w.tick(time.Millisecond) // no two transactions are at the same time
	var due []*request
	for _, l := range w.leads {
		if l.status == lead.Received && l.lane == lane && !l.due.After(w.now) {
			due = append(due, l)
		}
	}
	slices.SortStableFunc(due, func(a, b *request) int { return a.due.Compare(b.due) })
	if len(due) > 0 { // whoever takes something knows the buyers as they are
		p.knows = w.roster()
	}
	var foreseen []*flight
	for _, l := range due[:min(len(due), most)] {
		if f := w.claim(p, l); f != nil {
			foreseen = append(foreseen, f)
		}
	}
	tasks, err := p.Take(w.t.Context(), lane, most)
	w.must(err)
	if len(due) > 0 {
		w.learn(p)
	}
	for i := range max(len(tasks), len(foreseen)) {
		switch {
		case i >= len(foreseen):
			w.t.Fatalf("%s to %s was taken, but the model says that there is nothing to send", tasks[i].Kind(), tasks[i].Offer().Buyer)
		case i >= len(tasks):
			w.t.Fatalf("%s of %s to %s was not taken", foreseen[i].kind, foreseen[i].of.ID, foreseen[i].on.to)
		case tasks[i].Offer().ID != foreseen[i].on.id || tasks[i].Offer().Buyer != foreseen[i].on.to || tasks[i].Kind() != foreseen[i].kind:
			w.t.Fatalf("%s was taken for %s, but the model says %s of %s to %s",
				tasks[i].Kind(), tasks[i].Offer().Buyer, foreseen[i].kind, foreseen[i].of.ID, foreseen[i].on.to)
		}
		foreseen[i].task = tasks[i]
	}
	w.flights = append(w.flights, foreseen...)
}

// claim says what a process does about a lead that is due.
func (w *world) claim(p *process, l *request) *flight {
	w.cutOff(l)
	if w.isBarred(l) {
		w.bar(l)
		return nil
	}
	if l.step == buyer.StepAsk {
		return w.ask(p, l)
	}
	to, known := p.knows[l.lane]
	gone := !known || to.State == buyer.Off                             // nothing leaves for it any more
	unseen := l.step == buyer.StepOffer || l.offer.oneStep && !l.unsure // nobody was shown who the person is
	switch {
	case gone && l.unsure:
		w.seen.count("a buyer is gone that may have the contact")
		w.lose(l, "")
		return nil
	case gone:
		w.seen.count("a buyer is gone that was told nothing: %s", l.offer.state)
		l.offer.accepted = false // the contact was certainly not sent
		w.askNext(l, buyer.OfferFailed, "")
		return nil
	case unseen && to.State != buyer.Active, l.step == buyer.StepOffer && w.now.After(l.offer.at.Add(time.Minute)):
		w.askNext(l, buyer.OfferFailed, "")
		return nil
	case !p.slot(to.ID):
		return nil
	}
	return w.lease(p, l, to)
}

// ask finds the buyer whose turn it is.
func (w *world) ask(p *process, l *request) *flight {
	if mark := w.keptOff(l); mark != "" && !l.entered {
		w.stop(l, lead.Collected)
		w.withhold(l, mark)
		return nil
	}
	w.enter(l)
	var fit []buyer.Buyer
	for _, id := range inOrder(p.knows) {
		if b := p.knows[id]; w.suits(b, l) && w.isFree(b, l) {
			fit = append(fit, b)
		}
	}
	if len(fit) == 0 {
		w.stop(l, lead.Collected)
		return nil
	}
	to := slices.MinFunc(fit, func(a, b buyer.Buyer) int {
		return cmp.Or(cmp.Compare(a.Terms.Priority, b.Terms.Priority), cmp.Compare(w.party(a.ID).asked, w.party(b.ID).asked))
	})
	if i := slices.IndexFunc(fit, func(b buyer.Buyer) bool { return b.ID == l.lane }); i >= 0 {
		to = fit[i] // it waited for this one
	}
	w.t.Logf("%s: it is the turn of %s among %d", l.ID, to.ID, len(fit))
	w.asked++
	x := w.party(to.ID)
	x.asked = w.asked
	if !p.slot(to.ID) {
		w.seen.count("a lead waits in a lane")
		l.lane = to.ID
		return nil
	}
	if !x.shut.IsZero() { // a probe
		w.seen.count("a buyer is probed")
		x.shut, x.failures = w.now.Add(buyer.Lease), 4
	}
	w.seen.count("a lead is offered to a buyer for the time no. %02d", len(l.offersTo(to.ID))+1)
	w.offers++
	o := &proposal{id: fmt.Sprintf("offer_%04d", w.offers), to: to.ID, at: w.now, oneStep: to.Terms.OneStep, state: buyer.OfferOpen, era: l.era}
	l.offers = append(l.offers, o)
	l.lane, l.step, l.offer, l.attempts, l.unsure = to.ID, buyer.StepOffer, o, 0, false
	if o.oneStep {
		l.step = buyer.StepDeliver
	}
	return w.lease(p, l, to)
}

// lease makes a lead a process's own for a while.
func (w *world) lease(p *process, l *request, to buyer.Buyer) *flight {
	f := &flight{
		p: p, of: l, on: l.offer, kind: forward.LeadOffered, plain: to.Terms.PlainAccept, url: to.Terms.URL, secrets: to.Secrets, before: l.unsure, step: w.step, taken: w.now,
	}
	if l.step == buyer.StepDeliver {
		f.kind, l.unsure = forward.LeadDelivered, true
	}
	l.last, l.leased = f, true
	l.isDue(w.now.Add(buyer.Lease))
	return f
}

func (e *errand) isDue(at time.Time) { e.due, e.latest = at, at }

// slot takes one of eight messages at a time to a buyer; there is only one while the intake needs the machine.
func (p *process) slot(id string) bool {
	if p.inside[id] >= 8 || p.hurried && p.inside[id] >= 1 {
		return false
	}
	p.inside[id]++
	return true
}

// suits holds a lead against the rules that only a change lifts.
func (w *world) suits(b buyer.Buyer, l *request) bool {
	d := b.Terms.Demands
	switch {
	case b.State != buyer.Active || !covers(b, l.Lead):
		return false
	case d.OwnForm && l.Evidence.Consent.Version != agreed.Version, d.Street && l.Request.Contact.Street == "",
		d.PlausiblePhone && slices.Contains(l.Marks, lead.ImplausiblePhone), d.NoDuplicates && l.twin:
		return false
	case slices.ContainsFunc(l.offers, func(o *proposal) bool { return o.to == b.ID && o.state == buyer.OfferDeclined && o.code.ForGood() }):
		return false
	case w.sold[l.print()][b.ID].After(l.CreatedAt.Add(-month)) && w.second(l), len(l.offersTo(b.ID)) >= mostOffers:
		return false
	}
	return b.Terms.Caps.Total == 0 || w.used(b.ID, func(time.Time) bool { return true }) < b.Terms.Caps.Total
}

// isFree holds it against the rules that end by themselves.
func (w *world) isFree(b buyer.Buyer, l *request) bool {
	if before := l.offersTo(b.ID); len(before) > 0 {
		last := before[len(before)-1].at
		if !last.Before(l.since) || last.After(b.UpdatedAt) && againAt(b, before).After(w.now) { // a change of the buyer is a reason to ask at once
			return false
		}
	}
	return w.isThere(b)
}

// isThere says whether a buyer takes any lead at all now.
func (w *world) isThere(b buyer.Buyer) bool {
	x := w.party(b.ID)
	return isOpen(b.Terms.Hours, w.now) && !w.now.Before(x.shut) && !w.now.Before(x.quiet) && w.hasRoom(b)
}

// hasRoom counts what was offered to a buyer in the hour, the day and the month of its time zone.
func (w *world) hasRoom(b buyer.Buyer) bool {
	zone := zones[b.Terms.Hours.Zone]
	same := func(layout string) func(time.Time) bool {
		return func(at time.Time) bool { return at.In(zone).Format(layout) == w.now.In(zone).Format(layout) }
	}
	c := b.Terms.Caps
	return (c.Hour == 0 || w.used(b.ID, same("2006-01-02 15 MST")) < c.Hour) &&
		(c.Day == 0 || w.used(b.ID, same("2006-01-02")) < c.Day) &&
		(c.Month == 0 || w.used(b.ID, same("2006-01")) < c.Month)
}

func (w *world) used(id string, in func(time.Time) bool) int {
	n := 0
	for _, l := range w.leads {
		for _, o := range l.offers {
			if o.to == id && o.state != buyer.OfferDeclined && o.state != buyer.OfferFailed && in(o.at) {
				n++
			}
		}
	}
	return n
}

// anyCovers says whether one of the buyers is active and covers a lead.
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
	return slices.Contains(b.Terms.Services, l.Request.Service) && !l.Request.Service.Live() && (a.ZIPs == "" || named(a.ZIPs)) &&
		(a.Excluded == "" || !named(a.Excluded)) && (len(a.States) == 0 || slices.Contains(a.States, stateOf[l.Request.ZIP]))
}

// lanes are those in which something is due.
func (w *world) lanes() []string {
	lanes := make(map[string]bool)
	for _, l := range w.leads {
		if l.status == lead.Received && !l.due.After(w.now) {
			lanes[l.lane] = true
		}
	}
	return inOrder(lanes)
}

// takeSome takes from a lane in which something is due.
func (w *world) takeSome() {
	w.take(w.somebody(), pick(w, "lane", w.lanes()), pick(w, "most", []int{64, 1, 2}))
}

// pass is what a process does all the time: look who changed, wake, take, send, settle.
func (w *world) pass() { w.passBy(w.somebody()) }

func (w *world) passBy(p *process) {
	w.refresh(p)
	w.wake(p)
	w.walkSome(p, w.step%5)
	w.workAll(p) // in the middle of its walks
	w.walkAll(p)
	w.compare("work") // to see what is to follow
	w.follow(p)
	w.workAll(p)
}

// workAll lets a process take, send and settle whatever is due.
func (w *world) workAll(p *process) {
	for worked := true; worked; {
		for _, lane := range w.lanes() {
			w.take(p, lane, 64)
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
