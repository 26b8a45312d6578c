package forward_test

import (
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
)

// settle writes down what was answered, and foresees what comes of it. It returns what is to be sent next, if anything.
func (w *world) settle(f *flight) *flight {
	w.tried(f)
	foreseen := w.conclude(f)
	next, err := f.p.Settle(w.t.Context(), f.task, f.said.reply)
	w.must(err)
	if len(w.flights)%3 == 0 { // the commit's own answer was lost
		again, err := f.p.SettleAgain(w.t.Context(), f.task, f.said.reply)
		if w.must(err); again != nil {
			w.t.Fatalf("%s answered %s with %s: written down twice, it is sent on twice", f.on.to, f.on.id, f.said.name)
		}
	}
	switch {
	case (next != nil) != (foreseen != nil):
		w.t.Fatalf("%s answered %s with %s: something is to be sent next: %v, but the model says %v", f.on.to, f.on.id, f.said.name, next != nil, foreseen != nil)
	case next == nil:
		return nil
	case next.Offer().ID != foreseen.on.id || next.Kind() != foreseen.kind:
		w.t.Fatalf("after %s: %s of %s is next, but the model says %s of %s", f.said.name, next.Kind(), next.Offer().ID, foreseen.kind, foreseen.on.id)
	}
	foreseen.task = *next
	w.flights = append(w.flights, foreseen)
	return foreseen
}

// counts says whether what a flight brought home still matters: nobody else took the lead meanwhile, and it was not taken
// off its way.
func (f *flight) counts() bool {
	return f.of.status == lead.Received && f.of.last == f && f.of.offer == f.on && !f.on.closed()
}

// conclude says what becomes of a lead.
func (w *world) conclude(f *flight) *flight {
	l, o, a := f.of, f.on, f.said
	if !f.counts() {
		w.seen.count("an answer comes too late")
		return nil
	}
	if !a.reply.Sent {
		l.unsure = f.before
	}
	m := a.means(f)
	w.judge(o.to, m, f.kind, a.reply)
	handed := l.step == buyer.StepDeliver && (!o.oneStep || l.unsure)
	switch {
	case m == yes && l.step == buyer.StepOffer:
		return w.accept(f)
	case m == yes:
		o.state, o.accepted = buyer.OfferDelivered, true
		w.sell(l, o.to)
		w.stop(l, lead.Forwarded)
	case m == no && l.step == buyer.StepDeliver && !o.oneStep:
		w.lose(l, a.code)
	case m == no && f.before && (!a.said || a.code == buyer.CodeDuplicate): // it may mean that it has taken it before
		w.lose(l, a.code)
	case m == no:
		o.refused = true
		w.askNext(l, buyer.OfferDeclined, a.code)
	case m == ends && handed && (!o.oneStep || f.before):
		w.lose(l, "")
	case (m == pauses || m == ends) && o.oneStep && !f.before, !handed && m != fails:
		w.askNext(l, buyer.OfferFailed, "")
	case handed:
		w.deliverAgain(l, a.reply)
	default:
		w.offerAgain(l, a.reply)
	}
	return nil
}

// accept goes on to hand the contact over, unless the person asked meanwhile not to be contacted.
func (w *world) accept(f *flight) *flight {
	l := f.of
	to, known := w.roster()[f.on.to]
	if !known || to.State == buyer.Off {
		w.seen.count("a buyer accepts that is gone")
		w.askNext(l, buyer.OfferFailed, "")
		return nil
	}
	f.on.accepted, f.on.state = true, buyer.OfferAccepted
	w.sell(l, f.on.to)
	l.step, l.attempts, l.unsure = buyer.StepDeliver, 0, false
	if w.isBarred(l) {
		f.on.accepted = false
		w.bar(l)
		return nil
	}
	return w.lease(f.p, l, to)
}

// sell remembers who accepted what.
func (w *world) sell(l *request, to string) {
	if w.sold[l.print()] == nil {
		w.sold[l.print()] = make(map[string]time.Time)
	}
	if l.CreatedAt.After(w.sold[l.print()][to]) {
		w.sold[l.print()][to] = l.CreatedAt
	}
}

// The pauses before each attempt to hand a contact over, as the contract with buyers has them.
var pausesBefore = []time.Duration{
	0, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour,
}

func (w *world) deliverAgain(l *request, r forward.Reply) {
	if l.attempts++; l.attempts == len(pausesBefore) {
		w.seen.count("the attempts are over")
		w.lose(l, "")
		return
	}
	pause, asked := pausesBefore[l.attempts], min(r.RetryAfter, 24*time.Hour)
	l.leased = false
	l.due, l.latest = w.now.Add(max(pause*8/10, asked)), w.now.Add(max(pause*12/10, asked))
}

func (w *world) offerAgain(l *request, r forward.Reply) {
	if l.attempts++; l.attempts == 2 || r.RetryAfter > 2*time.Second {
		w.askNext(l, buyer.OfferFailed, "")
		return
	}
	l.leased = false
	l.isDue(w.now.Add(2 * time.Second))
}

// askNext closes an offer and looks for the next buyer.
func (w *world) askNext(l *request, state buyer.OfferState, code buyer.Code) {
	l.offer.state, l.offer.code = state, code
	l.errand = errand{step: buyer.StepAsk, since: l.since, last: l.last}
	l.isDue(w.now)
}

// lose locks a lead: a buyer has it, or may have it.
func (w *world) lose(l *request, code buyer.Code) {
	w.sell(l, l.offer.to)
	w.lock(l, code)
}

func (w *world) lock(l *request, code buyer.Code) {
	l.offer.state, l.offer.code = buyer.OfferLost, code
	w.stop(l, lead.Errored)
}

// stop takes a lead off its way.
func (w *world) stop(l *request, status lead.Status) {
	w.t.Logf("%s: it becomes %s", l.ID, status)
	w.seen.count("a lead becomes %s", status)
	l.status, l.errand, l.withheld, l.lookAt = status, errand{since: l.since}, "", time.Time{}
}

// isBarred says that a lead must not be passed on to anybody.
func (w *world) isBarred(l *request) bool {
	_, suppressed := w.barred[l.Request.Contact.Phone]
	return suppressed || l.Request.Service.Live() || !l.Request.Consent
}

// bar ends the way of a lead. Where a buyer may have the contact, the operator has to know.
func (w *world) bar(l *request) {
	switch {
	case l.unsure:
		w.lock(l, "")
		return
	case l.offer != nil:
		l.offer.state = buyer.OfferFailed
	}
	w.stop(l, lead.Rejected)
}

// judge notes what an answer says about the buyer.
func (w *world) judge(id string, m meaning, kind string, r forward.Reply) {
	x := w.party(id)
	if until := w.now.Add(min(r.RetryAfter, 24*time.Hour)); r.Status == 429 && r.RetryAfter > 0 && until.After(x.quiet) {
		w.seen.count("a buyer asks to be left alone")
		x.quiet = until
		w.disperse(id)
	}
	switch m {
	case pauses, ends:
		w.version++
		if m == ends && x.gone == 0 {
			x.gone = w.step
		}
		if !x.removed {
			w.disperse(id)
		}
	case fails:
		if x.failures++; x.failures == 5 {
			w.seen.count("a breaker opens")
			x.shut = w.now.Add(min(30*time.Second<<x.trips, 15*time.Minute))
			x.trips++
			w.disperse(id)
		}
	case yes:
		if kind == forward.LeadOffered {
			return // whether it is well, the delivery tells
		}
		fallthrough
	case no:
		x.failures, x.trips, x.shut = 0, 0, time.Time{}
	}
}

// disperse sends away what only waits for a turn in a buyer's lane.
func (w *world) disperse(id string) {
	for _, l := range w.leads {
		if l.status == lead.Received && l.step == buyer.StepAsk && l.lane == id {
			l.lane = ""
		}
	}
}

// work does a flight to its end, and whatever follows from it at once.
func (w *world) work(f *flight) {
	for f != nil {
		if f.said == nil {
			if w.late(f) {
				w.drop(f)
				return
			}
			w.send(f)
		}
		next := w.settle(f)
		if next != nil { // it keeps the slot
			w.forget(f)
		} else {
			w.drop(f)
		}
		f = next
	}
}

// answerOne does a flight to its end.
func (w *world) answerOne() { w.work(pick(w, "flight", w.flights)) }

// sendOne sends, and leaves the answer to be written down later.
func (w *world) sendOne() {
	f := w.flying(func(f *flight) bool { return f.said == nil })
	if w.late(f) {
		w.drop(f)
		return
	}
	w.send(f)
}

// settleOne writes an answer down that came a while ago. What follows is left for later.
func (w *world) settleOne() {
	f := w.flying(func(f *flight) bool { return f.said != nil })
	if w.settle(f) != nil {
		w.forget(f)
		return
	}
	w.drop(f)
}

// loseOne ends a flight without a word: its process could not write, or was cut off before or after it sent.
func (w *world) loseOne() { w.drop(pick(w, "flight", w.flights)) }
