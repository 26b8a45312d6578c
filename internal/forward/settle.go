package forward

import (
	"context"
	"fmt"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// settle writes down what came of a message, and returns what is to be sent next, if anything is. Where the lease was
// lost meanwhile, only the attempt is noted: somebody else carries on.
func (f *Forwarder) settle(ctx context.Context, x task, r Reply) (next *task, err error) {
	err = f.Store.Update(ctx, func(p Tx) error {
		next = nil
		t := f.newTxn(p)
		v := x.read(r)
		e, found, err := t.Delivery(x.delivery.Lead)
		if err != nil {
			return err
		}
		mine := found && e.Token == x.delivery.Token && e.Owner == x.delivery.Owner && e.Offer == x.offer.ID
		if mine || !x.mayBeWritten { // if a first try worked after all, the attempt is in the books already
			if err := t.recordAttempt(x.attempt(r, v, t), found); err != nil {
				return err
			}
		}
		if !found {
			return t.closeAbandoned(x.offer.ID)
		}
		if !mine {
			return nil
		}
		if !r.Sent {
			e.MayHaveContact = x.mayHaveHad
		}
		if err := t.recordHealth(x.to.ID, x.delivery.Step == buyer.StepOffer, v, r); err != nil {
			return err
		}
		if next, err = t.conclude(x, e, v, r); err != nil {
			return err
		}
		return t.save()
	})
	return next, err
}

// recordAttempt writes an attempt down. Where the person was erased meanwhile, it goes without the buyer's words: they may name them.
func (t *txn) recordAttempt(a buyer.Attempt, onItsWay bool) error {
	if !onItsWay {
		l, err := t.LeadBySeq(a.Lead)
		if err != nil {
			return err
		}
		if l.Erased() {
			a.Answer = ""
		}
	}
	return t.AddAttempt(a)
}

// closeAbandoned closes an offer whose lead was taken off its way while it was being asked about.
func (t *txn) closeAbandoned(offer string) error {
	o, found, err := t.Offer(offer)
	if err != nil || !found || o.State != buyer.OfferOpen {
		return err
	}
	return t.close(o, buyer.OfferFailed, "")
}

// read understands an answer.
func (x task) read(r Reply) buyer.Verdict {
	if x.delivery.Step == buyer.StepDeliver && !x.offer.OneStep {
		return buyer.ReadDelivery(r.Answer)
	}
	return buyer.Read(r.Answer, x.offer.OneStep && x.to.Terms.PlainAccept)
}

func (x task) attempt(r Reply, v buyer.Verdict, t *txn) buyer.Attempt {
	answer := r.Body[:min(len(r.Body), buyer.MaxAnswer)]
	failure := r.Failure
	if failure != "" && r.Detail != "" {
		failure += ": " + r.Detail
	}
	return buyer.Attempt{
		Offer: x.offer.ID, Lead: x.delivery.Lead, Kind: x.kind(), At: t.now.Add(-r.Took), Took: r.Took, Status: r.Status, Failure: failure,
		Answer: buyer.Clean(string(answer)), Decision: decision(v),
		URL: x.delivery.URL,
	}
}

func decision(v buyer.Verdict) string {
	if v.Code != "" {
		return string(v.Meaning) + " " + string(v.Code)
	}
	return string(v.Meaning)
}

// tooManyRequests is the status of a buyer that wants to be left alone for a while.
const tooManyRequests = 429

// recordHealth notes what an attempt says about the buyer itself.
func (t *txn) recordHealth(id string, offered bool, v buyer.Verdict, r Reply) error {
	s, err := t.health(id)
	if err != nil {
		return err
	}
	before := *s
	if r.Status == tooManyRequests && r.RetryAfter > 0 {
		*s = s.Quiet(t.now.Add(min(r.RetryAfter, buyer.MaxWait)))
	}
	switch v.Meaning {
	case buyer.Fails:
		*s = s.Fail(t.now)
	case buyer.Withdraw:
		return t.withdraw(id, buyer.Paused, fmt.Sprintf("its address answered %d", r.Status))
	case buyer.SwitchOff:
		return t.withdraw(id, buyer.Off, "its address said that it is gone (410)")
	case buyer.Accepts:
		if !offered { // a buyer that accepts and then cannot take the contact is not well: only the delivery tells
			*s = s.Succeed(t.now)
		}
	default:
		*s = s.Succeed(t.now)
	}
	t.dirty[id] = t.dirty[id] || *s != before
	if s.OpenUntil.After(before.OpenUntil) && v.Meaning == buyer.Fails {
		t.f.Log.Warn("a buyer does not answer: it is left alone for a while", "buyer", id, "until", s.OpenUntil)
		return t.Requeue(id)
	}
	if s.QuietUntil.After(before.QuietUntil) {
		return t.Requeue(id)
	}
	return nil
}

// withdraw stops asking a buyer until the operator has looked.
func (t *txn) withdraw(id string, state buyer.State, why string) error {
	b, err := t.Buyer(id)
	if err != nil {
		if lead.KindOf(err) == lead.NotFound {
			return nil
		}
		return err
	}
	if b.State == buyer.Active || b.State == buyer.Paused && state == buyer.Off {
		t.f.Log.Error("a buyer is no longer asked: look at its address, then resume it", "buyer", id, "state", state, "why", why)
		b.State, b.Why, b.UpdatedAt = state, why, t.now
		if err := t.PutBuyer(b); err != nil {
			return err
		}
		t.f.stale.Store(true)
	}
	return t.Requeue(id)
}

// accepted goes on to hand the contact over, unless the buyer was removed or switched off meanwhile: it has not seen who the
// person is, and does not get to.
func (t *txn) accepted(x task, e buyer.Delivery, v buyer.Verdict) (*task, error) {
	to, err := t.buyerNow(x.to.ID)
	if err != nil {
		return nil, err
	}
	if to == nil || to.State == buyer.Off {
		return nil, t.tryNextBuyer(e, x.offer, buyer.OfferFailed)
	}
	x.to = to
	before := x.offer.State
	x.offer.State, x.offer.Ref = buyer.OfferAccepted, v.Ref
	if err := t.PutOffer(x.offer, before); err != nil {
		return nil, err
	}
	if err := t.RecordSale(x.fingerprint, x.offer.Buyer, x.lead.CreatedAt); err != nil {
		return nil, err
	}
	if reason := rejectReason(x.lead, t.f.Suppressed); reason != "" { // suppressed between the question and the answer
		return nil, t.reject(x.fingerprint, e, reason)
	}
	e.Step, e.Attempts = buyer.StepDeliver, 0
	x.delivery = e
	return t.lease(x)
}

// buyerNow is a buyer as it stands in this transaction, or nil where it was removed.
func (t *txn) buyerNow(id string) (*buyer.Candidate, error) {
	if current, err := t.current(); err != nil || current {
		return t.f.Coverage().Find(id), err
	}
	b, err := t.Buyer(id)
	if lead.KindOf(err) == lead.NotFound {
		return nil, nil
	}
	return buyer.NewCoverage([]buyer.Buyer{b}, t.f.Coverage()).Find(id), err
}

func (t *txn) forwarded(x task, e buyer.Delivery, v buyer.Verdict) error {
	o := x.offer
	// A two-step buyer was noted when it accepted; an erased twin may have taken that note along.
	if err := t.RecordSale(x.fingerprint, o.Buyer, x.lead.CreatedAt); err != nil {
		return err
	}
	if v.Ref != "" {
		o.Ref = v.Ref
	}
	if err := t.close(o, buyer.OfferDelivered, ""); err != nil {
		return err
	}
	return t.end(x.fingerprint, e, lead.Forwarded, "accepted and acknowledged by "+o.Buyer)
}

func (t *txn) decline(e buyer.Delivery, o buyer.Offer, code buyer.Code) error {
	o.Code = code
	return t.tryNextBuyer(e, o, buyer.OfferDeclined)
}

// retryOffer tries a failed offer again, or asks the next buyer: no contact was given, so nothing can be sold twice.
func (t *txn) retryOffer(e buyer.Delivery, o buyer.Offer, r Reply) error {
	e.Attempts++
	wait, more := buyer.OfferRetry(e.Attempts, r.RetryAfter)
	if !more {
		return t.tryNextBuyer(e, o, buyer.OfferFailed)
	}
	e.DueAt, e.Owner = t.now.Add(wait), ""
	return t.PutDelivery(e)
}

// retryDelivery stays with a buyer that has the contact, or may have it, until the attempts are over.
func (t *txn) retryDelivery(x task, e buyer.Delivery, r Reply) error {
	e.Attempts++
	wait, more := buyer.DeliveryRetry(e.Attempts, r.RetryAfter, t.f.Chance())
	if !more {
		return t.lose(x.lead, x.fingerprint, e, x.offer, "", "the contact could not be handed over in all attempts")
	}
	e.DueAt, e.Owner = t.now.Add(wait), ""
	return t.PutDelivery(e)
}

// tryNextBuyer closes an offer and looks for the next buyer.
func (t *txn) tryNextBuyer(e buyer.Delivery, o buyer.Offer, state buyer.OfferState) error {
	if o.ID != "" {
		if err := t.close(o, state, o.Code); err != nil {
			return err
		}
	}
	e.BuyerQueue, e.Step, e.Offer, e.Attempts, e.MayHaveContact, e.Owner, e.DueAt, e.URL = "", buyer.StepAsk, "", 0, false, "", t.now, ""
	return t.PutDelivery(e)
}

// lose locks a lead that a buyer may have: it is never sold twice.
func (t *txn) lose(l lead.Lead, print string, e buyer.Delivery, o buyer.Offer, code buyer.Code, reason string) error {
	if err := t.RecordSale(print, o.Buyer, l.CreatedAt); err != nil {
		return err
	}
	if err := t.close(o, buyer.OfferLost, code); err != nil {
		return err
	}
	t.f.Log.Error("a lead is locked: a buyer may have its contact", "lead", l.ID, "offer", o.ID, "buyer", o.Buyer, "why", reason)
	return t.end(print, e, lead.Errored, reason)
}

func (t *txn) close(o buyer.Offer, state buyer.OfferState, code buyer.Code) error {
	before := o.State
	o.State, o.Code = state, code
	if before.Counts() && !state.Counts() {
		if err := t.wakeForFreedCap(o.Buyer); err != nil {
			return err
		}
	}
	return t.PutOffer(o, before)
}

// wakeForFreedCap has what is held looked at again, where a place under a cap became free.
func (t *txn) wakeForFreedCap(id string) error {
	if to := t.f.Coverage().Find(id); to == nil || to.Terms.Caps == (buyer.Caps{}) {
		return nil
	}
	s, err := t.health(id)
	if err != nil {
		return err
	}
	*s, t.dirty[id] = s.Wake(t.now.Add(soon)), true
	return nil
}

// end takes a lead off its way.
func (t *txn) end(print string, e buyer.Delivery, status lead.Status, reason string) error {
	if err := t.EndDelivery(e.Lead); err != nil {
		return err
	}
	if err := t.Change(e.Lead, lead.Received, lead.Change{At: t.now, Status: status, Actor: lead.ByService, Reason: reason}); err != nil {
		return err
	}
	return t.LeaveMarket(print, t.now)
}
