package forward

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// task is one message to send.
type task struct {
	delivery          buyer.Delivery
	lead              lead.Lead
	fingerprint       string // of the lead
	offer             buyer.Offer
	to                *buyer.Candidate
	mayHaveHadContact bool // the buyer may have had the contact before this attempt
	mayBeRecorded     bool // an earlier transaction that recorded the answer returned an error, but may have committed
}

// claimDue claims due deliveries of a queue: to claim, or dequeue, is to lease a delivery. assign calls it for dispatch, after a poll or a
// Notify, and a worker then sends each task. A delivery without a buyer gets one here, and is claimed too if that buyer has a free slot;
// otherwise it waits in the buyer's queue. seen is how many were due. If claiming them together fails, it claims one at a time, and sets
// aside the one that fails alone, so that it does not block the others.
//
// A lease is the owner, due time and token that lease sets. Only one process claims a delivery: SQLite has one writer, and on PostgreSQL
// store.Tx.Due locks the rows with FOR UPDATE SKIP LOCKED (store/queue). A process that is late, after its lease has ended and another has
// claimed the delivery, is stopped by the token: see settle.
func (f *Forwarder) claimDue(ctx context.Context, queue string, limit int) (tasks []task, seen int, err error) {
	var due []buyer.Delivery
	err = f.update(ctx, f.Store.Claim, func(t *txn) (err error) {
		tasks = nil
		if due, err = t.due(queue, limit); err != nil {
			return err
		}
		if err := t.lockFor(due); err != nil {
			return err
		}
		for _, d := range due {
			tk, err := t.claim(d)
			if err != nil {
				return err
			}
			if tk != nil {
				tasks = append(tasks, *tk)
			}
		}
		return nil
	})
	switch {
	case err == nil:
		return tasks, len(due), nil
	case len(due) == 0 || isTemporary(ctx, err):
		return nil, 0, err
	case len(due) == 1:
		return nil, 1, f.setAside(ctx, due[0].Lead, err)
	}
	tasks = nil
	for range due {
		one, n, err := f.claimDue(ctx, queue, 1)
		if tasks, seen = append(tasks, one...), seen+n; err != nil {
			return tasks, seen, err
		}
	}
	return tasks, seen, nil
}

// due lists the deliveries that can be claimed, and returns errStale if this process does not have the current buyers.
func (t *txn) due(queue string, limit int) ([]buyer.Delivery, error) {
	due, err := t.Due(queue, t.now, limit)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	t.now = t.f.Now().Truncate(time.Microsecond) // the transaction may have waited for another process: no offer is older than its lead
	return due, t.checkCurrent()
}

// lockFor locks the persons of deliveries and the buyers that may be asked, and reads what is known of them.
func (t *txn) lockFor(due []buyer.Delivery) error {
	if !t.Shared() {
		return nil // nobody else writes, and a query for each lead costs no round trip
	}
	var persons []store.PersonOf
	var fingerprints []string
	buyers := make(map[string]bool)
	for _, d := range due {
		l, ok := t.DueLead(d.Lead)
		if !ok {
			continue // claim finds the same
		}
		fingerprint := t.persons.fingerprint(l)
		from, to := t.persons.comparedRange(fingerprint)
		fingerprints = append(fingerprints, fingerprint)
		persons = append(persons, store.PersonOf{Lead: d.Lead, From: from, To: to, Since: l.CreatedAt.Add(-lead.RepeatWindow)})
		if d.BuyerQueue != "" {
			buyers[d.BuyerQueue] = true
		}
		for c := range t.f.Coverage().In(l.Request.Service, l.Request.ZIP, l.Request.Contact.Phone) {
			buyers[c.ID] = true
		}
	}
	if len(persons) == 0 {
		return nil
	}
	if err := t.LockPersons(fingerprints...); err != nil {
		return err
	}
	if err := t.ReadPersons(persons); err != nil {
		return err
	}
	if err := t.LockBuyers(slices.Sorted(maps.Keys(buyers))...); err != nil {
		return err
	}
	return t.checkCurrent() // again: another process may have stopped a buyer while this one waited for its lock
}

// setAsideFor is how long to leave a lead alone that cannot be read, or that fails in an unexpected way.
const setAsideFor = time.Hour

// setAside postpones a lead by setAsideFor, and logs its id for the operator.
func (f *Forwarder) setAside(ctx context.Context, seq int64, cause error) error {
	var id string
	err := f.Store.Update(ctx, func(tx *store.Tx) (err error) {
		if id, err = tx.IDOf(seq); err != nil {
			return err
		}
		return tx.SetAside(seq, f.Now().Add(setAsideFor))
	})
	if err == nil {
		f.Log.Error("a lead cannot be forwarded; it is set aside for an hour", "lead", id, "row", seq, "cause", cause)
	}
	return err
}

// claim takes the next step of a delivery: it returns the message to send, or nil if there is none now.
func (t *txn) claim(d buyer.Delivery) (*task, error) {
	l, err := t.LeadBySeq(d.Lead)
	if err != nil {
		return nil, err
	}
	if l.Status != lead.Received { // an operator closed it
		return nil, t.EndDelivery(d.Lead)
	}
	if err := t.recordInterrupted(&d); err != nil {
		return nil, err
	}
	if reason := rejectReason(l, t.f.Suppressed); reason != "" {
		return nil, t.reject(t.persons.fingerprint(l), d, reason)
	}
	to := t.f.Coverage().Find(d.BuyerQueue)
	if d.Step == buyer.StepAsk {
		return t.ask(d, l, to)
	}
	offer, found, err := t.Offer(d.Offer)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, fmt.Errorf("there is no offer %s, though it is on its way", d.Offer)
	}
	switch {
	case to == nil || to.State == buyer.Off:
		return nil, t.afterBuyerGone(l, d, offer)
	case to.State != buyer.Active && (d.Step == buyer.StepOffer || offer.OneStep && !d.MayHaveContact):
		return nil, t.tryNextBuyer(d, offer, buyer.OfferFailed, "") // paused since the offer, and it does not have the contact
	case d.Step == buyer.StepOffer && !to.Terms.AcceptsPhone(l.Request.Contact.Phone): // offered by an earlier version, which knows no practice
		return nil, t.tryNextBuyer(d, offer, buyer.OfferFailed, "")
	case d.Step == buyer.StepOffer && t.now.After(offer.At.Add(buyer.OfferLifetime)):
		return nil, t.tryNextBuyer(d, offer, buyer.OfferFailed, "")
	case !t.acquireSlot(to.ID):
		return nil, t.PutDelivery(d) // it waits for a free slot
	}
	return t.lease(task{delivery: d, lead: l, fingerprint: t.persons.fingerprint(l), offer: offer, to: to})
}

// recordInterrupted records an attempt for a message that a process claimed, and died before it recorded an answer. It does not count as one
// of the attempts that a message has: a service that crashes again and again would use them up.
func (t *txn) recordInterrupted(d *buyer.Delivery) error {
	if d.Step == buyer.StepAsk || d.Owner == "" || d.SentAt.IsZero() {
		return nil
	}
	d.Owner = ""
	return t.AddAttempt(buyer.Attempt{
		Offer: d.Offer, Lead: d.Lead, Kind: task{delivery: *d}.kind(), At: d.SentAt, URL: d.URL, Decision: buyer.Unknown,
		Failure: "interrupted: it may have been sent, and no answer was noted",
	})
}

// rejectReason returns why a lead must not be forwarded to any buyer, or "".
func rejectReason(l lead.Lead, suppressed func(phone string) bool) string {
	switch {
	case !l.Request.Service.NeedsConsent():
		return "this service is dialled, never passed on"
	case !l.Request.Consent || l.Request.Contact.Phone == "":
		return "there is no consent to be contacted"
	case suppressed(l.Request.Contact.Phone):
		return "the number is suppressed"
	}
	return ""
}

// reject ends the delivery of a lead that must not be forwarded. If a buyer may have the contact, the status is error, so that
// the operator finds out.
func (t *txn) reject(fingerprint string, d buyer.Delivery, reason string) error {
	status, state := lead.Rejected, buyer.OfferFailed
	if d.MayHaveContact {
		status, state = lead.Errored, buyer.OfferLost
	}
	offer, found, err := t.Offer(d.Offer)
	if err == nil && found { // there is none while it looks for a buyer
		err = t.close(offer, state, "")
	}
	if err != nil {
		return err
	}
	return t.end(fingerprint, d, status, reason)
}

// afterBuyerGone handles a delivery whose buyer was removed or switched off. That buyer gets no more contacts. If it certainly
// does not have this one, the next buyer is asked; otherwise the lead is locked for the operator.
func (t *txn) afterBuyerGone(l lead.Lead, d buyer.Delivery, offer buyer.Offer) error {
	if b, err := t.Buyer(d.BuyerQueue); err == nil && b.State != buyer.Off {
		return nil // another process just added it: the next refresh finds it
	} else if err != nil && lead.KindOf(err) != lead.NotFound {
		return err
	}
	if d.MayHaveContact {
		return t.lose(l, t.persons.fingerprint(l), d, offer, "", "the buyer was removed or switched off, and may have the contact")
	}
	return t.tryNextBuyer(d, offer, buyer.OfferFailed, "")
}

// lease gives a task to this process for buyer.Lease. If the task delivers the contact, the buyer may have it from here on,
// unless it turns out that nothing was sent.
func (t *txn) lease(tk task) (*task, error) {
	tk.mayHaveHadContact = tk.delivery.MayHaveContact
	if tk.delivery.Step == buyer.StepDeliver {
		tk.delivery.MayHaveContact = true
	}
	tk.delivery.Owner, tk.delivery.DueAt = t.f.Owner, t.now.Add(buyer.Lease)
	tk.delivery.Token++
	tk.delivery.SentAt, tk.delivery.URL = t.now, tk.to.Terms.URL
	return &tk, t.PutDelivery(tk.delivery)
}
