package forward

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

// settle records the outcome of a message, and returns the next task, if any. If this process lost the lease meanwhile, it
// records only the attempt: another process has the delivery.
func (f *Forwarder) settle(ctx context.Context, tk task, r webhook.Outcome) (next *task, err error) {
	v := tk.verdict(r)
	about := store.Subject{Lead: tk.delivery.Lead, Fingerprint: tk.fingerprint, Buyer: tk.to.ID, LockBuyer: v.Meaning != buyer.Accepts, Patient: tk.completedBy(r) && !f.inTurn}
	run := func(ctx context.Context, do func(*store.Tx) error) error { return f.Store.Settle(ctx, about, do) }
	err = f.update(ctx, run, func(t *txn) error {
		next = nil
		d, found, err := t.Delivery(tk.delivery.Lead)
		if err != nil {
			return err
		}
		mine := found && d.Token == tk.delivery.Token && d.Owner == tk.delivery.Owner && d.Offer == tk.offer.ID
		if mine || !tk.mayBeRecorded { // if the first try did commit, the attempt is recorded already
			if err := t.recordAttempt(tk.attempt(r, v, t), found); err != nil {
				return err
			}
		}
		if !found {
			return t.closeAbandoned(tk.offer.ID)
		}
		if !mine {
			return nil
		}
		if !r.Sent {
			d.MayHaveContact = tk.mayHaveHadContact
		}
		if err := t.recordHealth(tk.to.ID, tk.delivery.Step == buyer.StepOffer, v, r); err != nil {
			return err
		}
		switch {
		case d.Step == buyer.StepOffer:
			next, err = t.afterOffer(tk, d, v, r)
		case tk.offer.OneStep:
			err = t.afterOneStep(tk, d, v, r)
		default:
			err = t.afterDelivery(tk, d, v, r)
		}
		return err
	})
	return next, err
}

// afterOffer handles the answer to an offer. The buyer does not have the contact, so the lead cannot be sold twice.
func (t *txn) afterOffer(tk task, d buyer.Delivery, v buyer.Verdict, r webhook.Outcome) (*task, error) {
	switch v.Meaning {
	case buyer.Accepts:
		return t.accepted(tk, d, v)
	case buyer.Declines:
		return nil, t.tryNextBuyer(d, tk.offer, buyer.OfferDeclined, v.Code)
	case buyer.Fails:
		return nil, t.retryOffer(d, tk.offer, r)
	}
	return nil, t.tryNextBuyer(d, tk.offer, buyer.OfferFailed, "")
}

// afterDelivery handles the answer of a buyer that has accepted: the lead stays with that buyer, or is locked.
func (t *txn) afterDelivery(tk task, d buyer.Delivery, v buyer.Verdict, r webhook.Outcome) error {
	switch v.Meaning {
	case buyer.Accepts:
		return t.forwarded(tk, d, v)
	case buyer.Declines:
		return t.lose(tk.lead, tk.fingerprint, d, tk.offer, v.Code, "the buyer accepted, and then refused the contact")
	case buyer.SwitchOff:
		return t.lose(tk.lead, tk.fingerprint, d, tk.offer, "", goneReason)
	}
	return t.retryDelivery(tk, d, r)
}

const goneReason = "the buyer's address is gone"

// afterOneStep handles the answer of a buyer that got the contact in the first message. A refusal counts as one only for
// the first attempt that can have reached the buyer; later it may just mean that an earlier attempt did.
func (t *txn) afterOneStep(tk task, d buyer.Delivery, v buyer.Verdict, r webhook.Outcome) error {
	switch v.Meaning {
	case buyer.Accepts:
		return t.forwarded(tk, d, v)
	case buyer.Declines:
		if tk.mayHaveHadContact && (!v.Said || v.Code == buyer.CodeDuplicate) {
			return t.lose(tk.lead, tk.fingerprint, d, tk.offer, v.Code, "the buyer may have taken it before it refused to take it again")
		}
		return t.tryNextBuyer(d, tk.offer, buyer.OfferDeclined, v.Code)
	case buyer.Fails:
		if !d.MayHaveContact {
			return t.retryOffer(d, tk.offer, r)
		}
		return t.retryDelivery(tk, d, r)
	}
	switch { // the endpoint rejects our requests, or is gone
	case !tk.mayHaveHadContact:
		return t.tryNextBuyer(d, tk.offer, buyer.OfferFailed, "") // it certainly did not take the lead
	case v.Meaning == buyer.SwitchOff:
		return t.lose(tk.lead, tk.fingerprint, d, tk.offer, "", goneReason)
	}
	return t.retryDelivery(tk, d, r)
}

// recordAttempt records an attempt. If the person was erased meanwhile, it drops the buyer's answer, which may name them.
func (t *txn) recordAttempt(a buyer.Attempt, hasDelivery bool) error {
	if !hasDelivery {
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

// closeAbandoned closes an offer whose delivery ended while the buyer was being asked.
func (t *txn) closeAbandoned(offer string) error {
	o, found, err := t.Offer(offer)
	if err != nil || !found || o.State != buyer.OfferOpen {
		return err
	}
	return t.close(o, buyer.OfferFailed, "")
}

// verdict interprets an answer.
func (tk task) verdict(r webhook.Outcome) buyer.Verdict {
	answer := buyer.Answer{Status: r.Status, Body: r.Answer}
	if tk.delivery.Step == buyer.StepDeliver && !tk.offer.OneStep {
		return buyer.ReadDelivery(answer)
	}
	return buyer.Read(answer, tk.offer.OneStep && tk.to.Terms.PlainAccept)
}

// completedBy reports whether an answer acknowledges the contact, so that nothing is left to send.
func (tk task) completedBy(r webhook.Outcome) bool {
	return tk.delivery.Step == buyer.StepDeliver && tk.verdict(r).Meaning == buyer.Accepts
}

func (tk task) attempt(r webhook.Outcome, v buyer.Verdict, t *txn) buyer.Attempt {
	answer := r.Answer[:min(len(r.Answer), buyer.MaxAnswer)]
	return buyer.Attempt{
		Offer: tk.offer.ID, Lead: tk.delivery.Lead, Kind: tk.kind(), At: t.now.Add(-r.Took), Took: r.Took, Status: r.Status, Failure: failureText(r),
		Answer: buyer.Clean(string(answer)), Decision: strings.TrimSpace(string(v.Meaning) + " " + string(v.Code)),
		URL: tk.delivery.URL,
	}
}

// failureText says why an attempt failed, or "".
func failureText(r webhook.Outcome) string {
	if r.Failure == "" || r.Detail == "" {
		return string(r.Failure)
	}
	return string(r.Failure) + ": " + r.Detail
}

// recordHealth updates the health of a buyer after an attempt. 429 (Too Many Requests) counts as a failure; with Retry-After, the buyer
// is rate limited: it gets no new offers until then, and the leads in its queue go to other buyers.
func (t *txn) recordHealth(id string, offered bool, v buyer.Verdict, r webhook.Outcome) error {
	if offered && v.Meaning == buyer.Accepts { // it proves nothing: the buyer may then fail to take the contact
		return nil
	}
	h, err := t.health(id)
	if err != nil {
		return err
	}
	before := h
	if r.Status == http.StatusTooManyRequests && r.RetryAfter > 0 {
		h = h.Quiet(t.now.Add(min(r.RetryAfter, buyer.MaxRetryAfter)))
	}
	switch v.Meaning {
	case buyer.Fails:
		h = h.Fail(t.now)
	case buyer.PauseBuyer:
		return t.stopBuyer(id, buyer.Paused, fmt.Sprintf("its address answered %d", r.Status))
	case buyer.SwitchOff:
		return t.stopBuyer(id, buyer.Off, "its address said that it is gone (410)")
	default: // an acknowledged contact, or a decline, which closes the breaker as well
		h = h.Succeed(t.now)
	}
	if h != before {
		t.changed[id] = h
	}
	if h.OpenUntil.After(before.OpenUntil) && v.Meaning == buyer.Fails {
		t.f.Log.Warn("a buyer keeps failing; new leads pass it by for a while", "buyer", id, "until", h.OpenUntil)
		return t.Requeue(id)
	}
	if h.QuietUntil.After(before.QuietUntil) {
		return t.Requeue(id)
	}
	return nil
}

// stopBuyer pauses a buyer or switches it off, until the operator resumes it.
func (t *txn) stopBuyer(id string, state buyer.State, why string) error {
	b, err := t.Buyer(id)
	if err != nil {
		if lead.KindOf(err) == lead.NotFound {
			return nil
		}
		return err
	}
	if b.State == buyer.Active || b.State == buyer.Paused && state == buyer.Off {
		t.f.Log.Error("a buyer gets no new leads: check its address, then resume it", "buyer", id, "state", state, "why", why)
		entry := audit.Entry{At: t.now, Actor: audit.System, Action: audit.BuyerPause, Subject: id, Detail: audit.Detail{"state": []buyer.State{b.State, state}, "why": why}}
		if state == buyer.Off {
			entry.Action = audit.BuyerOff
		}
		b.State, b.Why, b.UpdatedAt = state, why, t.now
		if err := errors.Join(t.PutBuyer(b), t.AddAudit(entry)); err != nil {
			return err
		}
	}
	return t.Requeue(id)
}

// accepted goes on to deliver the contact, unless the buyer was removed or switched off meanwhile: it has not seen the contact
// and does not get it.
func (t *txn) accepted(tk task, d buyer.Delivery, v buyer.Verdict) (*task, error) {
	to, err := t.buyerNow(tk.to.ID)
	if err != nil {
		return nil, err
	}
	if to == nil || to.State == buyer.Off {
		return nil, t.tryNextBuyer(d, tk.offer, buyer.OfferFailed, "")
	}
	tk.to = to
	before := tk.offer.State
	tk.offer.State, tk.offer.Ref = buyer.OfferAccepted, v.Ref
	if err := t.PutOffer(tk.offer, before); err != nil {
		return nil, err
	}
	if err := t.RecordSale(tk.fingerprint, tk.offer.Buyer, tk.lead.CreatedAt); err != nil {
		return nil, err
	}
	if reason := rejectReason(tk.lead, t.f.Suppressed); reason != "" { // suppressed between the offer and its answer
		return nil, t.reject(tk.fingerprint, d, reason)
	}
	d.Step, d.Attempts = buyer.StepDeliver, 0
	tk.delivery = d
	return t.lease(tk)
}

// buyerNow returns a buyer as of this transaction, or nil if it was removed.
func (t *txn) buyerNow(id string) (*buyer.Candidate, error) {
	if current, err := t.current(); err != nil || current {
		return t.f.Coverage().Find(id), err
	}
	b, err := t.Buyer(id)
	if lead.KindOf(err) == lead.NotFound {
		return nil, nil
	}
	return buyer.NewCoverage([]buyer.Buyer{b}).Find(id), err
}

func (t *txn) forwarded(tk task, d buyer.Delivery, v buyer.Verdict) error {
	o := tk.offer
	// The sale to a two-step buyer was recorded when it accepted, but erasing a duplicate lead may have deleted that record.
	if err := t.RecordSale(tk.fingerprint, o.Buyer, tk.lead.CreatedAt); err != nil {
		return err
	}
	if v.Ref != "" {
		o.Ref = v.Ref
	}
	if err := t.close(o, buyer.OfferDelivered, ""); err != nil {
		return err
	}
	if entry, costs := o.Charge(tk.lead, t.now); costs {
		if err := t.Ledger().Add(entry); err != nil {
			return err
		}
	}
	return t.end(tk.fingerprint, d, lead.Forwarded, "accepted and acknowledged by "+o.Buyer)
}

// retryOffer retries a failed offer, or asks the next buyer: the contact was not sent, so the lead cannot be sold twice.
func (t *txn) retryOffer(d buyer.Delivery, o buyer.Offer, r webhook.Outcome) error {
	d.Attempts++
	wait, more := buyer.OfferRetry(d.Attempts, r.RetryAfter)
	if !more {
		return t.tryNextBuyer(d, o, buyer.OfferFailed, "")
	}
	d.DueAt, d.Owner = t.now.Add(wait), ""
	return t.PutDelivery(d)
}

// retryDelivery retries with a buyer that has the contact, or may have it, until the attempts are used up.
func (t *txn) retryDelivery(tk task, d buyer.Delivery, r webhook.Outcome) error {
	d.Attempts++
	wait, more := buyer.DeliveryRetry(d.Attempts, r.RetryAfter, t.f.Chance())
	if !more {
		return t.lose(tk.lead, tk.fingerprint, d, tk.offer, "", "the contact could not be handed over in all attempts")
	}
	d.DueAt, d.Owner = t.now.Add(wait), ""
	return t.PutDelivery(d)
}

// tryNextBuyer closes an offer and requeues the delivery to find the next buyer.
func (t *txn) tryNextBuyer(d buyer.Delivery, o buyer.Offer, state buyer.OfferState, code buyer.Code) error {
	if err := t.close(o, state, code); err != nil {
		return err
	}
	d.BuyerQueue, d.Step, d.Offer, d.Attempts, d.MayHaveContact, d.Owner, d.DueAt, d.URL = "", buyer.StepAsk, "", 0, false, "", t.now, ""
	return t.PutDelivery(d)
}

// lose locks a lead that a buyer may have, so that it is never sold twice: it goes to the leads in error (elsewhere a dead letter queue),
// where an operator finds out what became of it.
func (t *txn) lose(l lead.Lead, fingerprint string, d buyer.Delivery, o buyer.Offer, code buyer.Code, reason string) error {
	if err := t.RecordSale(fingerprint, o.Buyer, l.CreatedAt); err != nil {
		return err
	}
	if err := t.close(o, buyer.OfferLost, code); err != nil {
		return err
	}
	t.f.Log.Error("a lead is locked: a buyer may have its contact", "lead", l.ID, "offer", o.ID, "buyer", o.Buyer, "why", reason)
	return t.end(fingerprint, d, lead.Errored, reason)
}

func (t *txn) close(o buyer.Offer, state buyer.OfferState, code buyer.Code) error {
	before, to := o.State, t.f.Coverage().Find(o.Buyer)
	o.State, o.Code = state, code
	if before.Counts() && !state.Counts() && to != nil && to.Terms.Limited() { // a held lead may take its place, or its money
		if err := t.wakeAt(o.Buyer, t.now.Add(rescanDelay)); err != nil {
			return err
		}
	}
	return t.PutOffer(o, before)
}

// end ends the delivery of a lead, which leaves the market with a status.
func (t *txn) end(fingerprint string, d buyer.Delivery, status lead.Status, reason string, passedOver ...buyer.PassedOver) error {
	if err := t.EndDelivery(d.Lead); err != nil {
		return err
	}
	change := lead.Change{At: t.now, Status: status, Actor: lead.ByService, Reason: reason}
	if err := t.Change(d.Lead, lead.Received, change, passedOver...); err != nil {
		return err
	}
	return t.LeaveMarket(fingerprint, t.now)
}
