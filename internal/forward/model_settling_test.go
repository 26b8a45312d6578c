package forward_test

import (
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/webhook"
)

// settle records an answer, and predicts the result. It returns the next flight, if any.
func (w *world) settle(f *flight) *flight {
	w.recordAttempt(f)
	predicted := w.conclude(f)
	next, err := f.p.Settle(w.t.Context(), f.task, f.answer.reply)
	w.must(err)
	if len(w.flights)%3 == 0 { // as if the response to the commit was lost
		again, err := f.p.SettleAgain(w.t.Context(), f.task, f.answer.reply)
		if w.must(err); again != nil {
			w.t.Fatalf("%s answered %s with %s: written down twice, it is sent on twice", f.on.to, f.on.id, f.answer.name)
		}
	}
	switch {
	case (next != nil) != (predicted != nil):
		w.t.Fatalf("%s answered %s with %s: something is to be sent next: %v, but the model says %v", f.on.to, f.on.id, f.answer.name, next != nil, predicted != nil)
	case next == nil:
		return nil
	case next.Offer().ID != predicted.on.id || next.Kind() != predicted.kind:
		w.t.Fatalf("after %s: %s of %s is next, but the model says %s of %s", f.answer.name, next.Kind(), next.Offer().ID, predicted.kind, predicted.on.id)
	}
	predicted.task = *next
	w.flights = append(w.flights, predicted)
	return predicted
}

// counts reports whether the answer of a flight still matters: no other process has the lead, and its delivery has not
// ended.
func (f *flight) counts() bool {
	return f.of.status == lead.Received && f.of.last == f && f.of.offer == f.on && !f.on.closed()
}

// conclude predicts what happens to a lead.
func (w *world) conclude(f *flight) *flight {
	l, o, a := f.of, f.on, f.answer
	if !f.counts() {
		w.tally.count("an answer comes too late")
		return nil
	}
	if !a.reply.Sent {
		l.mayHaveContact = f.before
	}
	m := a.means(f)
	w.recordHealth(o.to, m, f.kind, a.reply)
	delivering := l.step == buyer.StepDeliver && (!o.oneStep || l.mayHaveContact)
	switch {
	case m == yes && l.step == buyer.StepOffer:
		return w.accept(f)
	case m == yes:
		o.state, o.accepted, o.deliveredAt = buyer.OfferDelivered, true, w.now
		w.recordSale(l, o.to)
		w.endDelivery(l, lead.Forwarded)
	case m == no && l.step == buyer.StepDeliver && !o.oneStep:
		w.lose(l, a.code)
	case m == no && f.before && (!a.explicit || a.code == buyer.CodeDuplicate): // the buyer may have taken the lead in an earlier attempt
		w.lose(l, a.code)
	case m == no:
		o.refused = true
		w.tryNextBuyer(l, buyer.OfferDeclined, a.code)
	case m == ends && delivering && (!o.oneStep || f.before):
		w.lose(l, "")
	case (m == pauses || m == ends) && o.oneStep && !f.before, !delivering && m != fails:
		w.tryNextBuyer(l, buyer.OfferFailed, "")
	case delivering:
		w.retryDelivery(l, a.reply)
	default:
		w.retryOffer(l, a.reply)
	}
	return nil
}

// accept goes on to deliver the contact, unless the number was suppressed meanwhile.
func (w *world) accept(f *flight) *flight {
	l := f.of
	to, known := w.currentBuyers()[f.on.to]
	if !known || to.State == buyer.Off {
		w.tally.count("a buyer accepts that is gone")
		w.tryNextBuyer(l, buyer.OfferFailed, "")
		return nil
	}
	f.on.accepted, f.on.state = true, buyer.OfferAccepted
	w.recordSale(l, f.on.to)
	l.step, l.attempts, l.mayHaveContact = buyer.StepDeliver, 0, false
	if w.mustReject(l) {
		f.on.accepted = false
		w.reject(l)
		return nil
	}
	return w.lease(f.p, l, to)
}

// recordSale remembers which buyer accepted which lead.
func (w *world) recordSale(l *modelLead, to string) {
	if w.sold[l.fingerprint()] == nil {
		w.sold[l.fingerprint()] = make(map[string]time.Time)
	}
	if l.CreatedAt.After(w.sold[l.fingerprint()][to]) {
		w.sold[l.fingerprint()][to] = l.CreatedAt
	}
}

// pausesBefore are the waits before each attempt to deliver a contact, as the buyer API defines them.
var pausesBefore = []time.Duration{
	0, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour,
}

func (w *world) retryDelivery(l *modelLead, r webhook.Outcome) {
	if l.attempts++; l.attempts == len(pausesBefore) {
		w.tally.count("the attempts are over")
		w.lose(l, "")
		return
	}
	pause, asked := pausesBefore[l.attempts], min(r.RetryAfter, 24*time.Hour)
	l.leased = false
	l.due, l.latest = w.now.Add(max(pause*8/10, asked)), w.now.Add(max(pause*12/10, asked))
}

func (w *world) retryOffer(l *modelLead, r webhook.Outcome) {
	if l.attempts++; l.attempts == 2 || r.RetryAfter > 2*time.Second {
		w.tryNextBuyer(l, buyer.OfferFailed, "")
		return
	}
	l.leased = false
	l.isDue(w.now.Add(2 * time.Second))
}

// tryNextBuyer closes an offer and requeues the delivery to find the next buyer.
func (w *world) tryNextBuyer(l *modelLead, state buyer.OfferState, code buyer.Code) {
	l.offer.state, l.offer.code = state, code
	l.modelDelivery = modelDelivery{step: buyer.StepAsk, since: l.since, last: l.last}
	l.isDue(w.now)
}

// lose locks a lead: a buyer has it, or may have it.
func (w *world) lose(l *modelLead, code buyer.Code) {
	w.recordSale(l, l.offer.to)
	w.lock(l, code)
}

func (w *world) lock(l *modelLead, code buyer.Code) {
	l.offer.state, l.offer.code = buyer.OfferLost, code
	w.endDelivery(l, lead.Errored)
}

// endDelivery ends the delivery of a lead with a status.
func (w *world) endDelivery(l *modelLead, status lead.Status) {
	w.t.Logf("%s: it becomes %s", l.ID, status)
	w.tally.count("a lead becomes %s", status)
	l.status, l.modelDelivery, l.withheld, l.checkAt = status, modelDelivery{since: l.since}, "", time.Time{}
}

// mustReject reports whether a lead must not be forwarded to any buyer.
func (w *world) mustReject(l *modelLead) bool {
	_, suppressed := w.suppressed[l.Request.Contact.Phone]
	return suppressed || l.Request.Service.Live() || !l.Request.Consent
}

// reject ends the delivery of a lead. If a buyer may have the contact, the operator has to find out.
func (w *world) reject(l *modelLead) {
	switch {
	case l.mayHaveContact:
		w.lock(l, "")
		return
	case l.offer != nil:
		l.offer.state = buyer.OfferFailed
	}
	w.endDelivery(l, lead.Rejected)
}

// recordHealth updates the health of a buyer after an answer.
func (w *world) recordHealth(id string, m meaning, kind string, r webhook.Outcome) {
	mb := w.buyer(id)
	if until := w.now.Add(min(r.RetryAfter, 24*time.Hour)); r.Status == 429 && r.RetryAfter > 0 && until.After(mb.quietUntil) {
		w.tally.count("a buyer asks to be left alone")
		mb.quietUntil = until
		w.requeue(id)
	}
	switch m {
	case pauses, ends:
		w.version++
		if m == ends && mb.goneStep == 0 {
			mb.goneStep = w.step
		}
		if !mb.removed {
			w.requeue(id)
		}
	case fails:
		if mb.failures++; mb.failures == 5 {
			w.tally.count("a breaker opens")
			mb.openUntil = w.now.Add(min(30*time.Second<<mb.opened, 15*time.Minute))
			mb.opened++
			w.requeue(id)
		}
	case yes:
		if kind == forward.LeadOffered {
			return // only a delivery proves health
		}
		fallthrough
	case no:
		mb.failures, mb.opened, mb.openUntil = 0, 0, time.Time{}
	}
}

// requeue removes deliveries that only wait for a slot from a buyer's queue.
func (w *world) requeue(id string) {
	for _, l := range w.leads {
		if l.status == lead.Received && l.step == buyer.StepAsk && l.queue == id {
			l.queue = ""
		}
	}
}

// work runs a flight to its end, and the flight that follows from it.
func (w *world) work(f *flight) {
	for f != nil {
		if f.answer == nil {
			if w.leaseExpired(f) {
				w.endFlight(f)
				return
			}
			w.send(f)
		}
		next := w.settle(f)
		if next != nil { // it keeps the slot
			w.forgetFlight(f)
		} else {
			w.endFlight(f)
		}
		f = next
	}
}

// answerOne runs a flight to its end.
func (w *world) answerOne() { w.work(pick(w, "flight", w.flights)) }

// sendOne sends a message, and leaves its answer to be settled later.
func (w *world) sendOne() {
	f := w.pickFlight(func(f *flight) bool { return f.answer == nil })
	if w.leaseExpired(f) {
		w.endFlight(f)
		return
	}
	w.send(f)
}

// settleOne settles an answer that came earlier. What follows is left for later.
func (w *world) settleOne() {
	f := w.pickFlight(func(f *flight) bool { return f.answer != nil })
	if w.settle(f) != nil {
		w.forgetFlight(f)
		return
	}
	w.endFlight(f)
}

// abandonOne ends a flight without an outcome: its process could not write, or was interrupted before or after it sent.
func (w *world) abandonOne() { w.endFlight(pick(w, "flight", w.flights)) }
