package forward

import (
	"context"
	"errors"
	"fmt"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// task is one message that is to be sent.
type task struct {
	delivery     buyer.Delivery
	lead         lead.Lead
	fingerprint  string // of the lead
	offer        buyer.Offer
	to           *buyer.Candidate
	mayHaveHad   bool // whether the buyer may have had the contact before this attempt
	mayBeWritten bool // an earlier try to write the answer down failed, as far as is known
}

// errStale says that the buyers changed since this process read them.
var errStale = errors.New("the buyers changed")

// take claims due errands of a lane. What looks for a buyer finds one here, and is taken too where that one has a slot
// free; else it goes to wait in the buyer's lane. seen is how many were due.
func (f *Forwarder) take(ctx context.Context, lane string, most int) (tasks []task, seen int, err error) {
	if err = f.claiming(ctx, func(t *txn) error {
		tasks, seen = nil, 0
		due, err := t.due(lane, most)
		if err != nil {
			return err
		}
		for _, e := range due {
			if tasks, err = t.claimInto(tasks, e); err != nil {
				return err
			}
		}
		seen = len(due)
		return nil
	}); err == nil {
		return tasks, seen, nil
	}
	if ctx.Err() != nil || lead.KindOf(err) == lead.Unavailable || errors.Is(err, errStale) {
		return nil, 0, err
	}
	return f.takeSingly(ctx, lane, most)
}

// claiming runs a transaction that may take slots, by the buyers as they are in it. The slots are given back where it fails.
func (f *Forwarder) claiming(ctx context.Context, do func(*txn) error) error {
	for tries := 0; ; tries++ {
		var held []string
		err := f.Store.Update(ctx, func(p Tx) error {
			f.releaseSlots(held) // from a run of this function that came to nothing
			t := f.newTxn(p)
			defer func() { held = t.held }()
			if err := do(t); err != nil {
				return err
			}
			return t.save()
		})
		if err == nil {
			return nil
		}
		f.releaseSlots(held)
		if !errors.Is(err, errStale) || tries == 3 {
			return err
		}
		if err := f.Refresh(ctx); err != nil {
			return err
		}
	}
}

// due lists what may be taken, and sees that this process knows the buyers as they are.
func (t *txn) due(lane string, most int) ([]buyer.Delivery, error) {
	due, err := t.Due(lane, t.now, most)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	t.now = t.f.Now().Truncate(time.Microsecond) // another process may have had its turn first: no offer is older than its lead
	return due, t.requireCurrent()
}

// current says whether this process knows the buyers as they are.
func (t *txn) current() (bool, error) {
	version, err := t.BuyersVersion()
	known := t.f.coverage.Load()
	return known != nil && known.version == version, err
}

func (t *txn) requireCurrent() error {
	current, err := t.current()
	if err == nil && !current {
		return errStale
	}
	return err
}

func (t *txn) claimInto(tasks []task, e buyer.Delivery) ([]task, error) {
	taken, err := t.claim(e)
	if err == nil && taken != nil {
		tasks = append(tasks, *taken)
	}
	return tasks, err
}

// setAside is how long a lead is left alone that cannot be read, or not be passed on for a reason that nobody foresaw.
const setAside = time.Hour

// takeSingly is take for a batch that failed: each errand is claimed in a transaction of its own, and one that fails there too is
// set aside, so that it stops nobody else.
func (f *Forwarder) takeSingly(ctx context.Context, lane string, most int) (tasks []task, seen int, err error) {
	var due []buyer.Delivery
	if err := f.Store.Update(ctx, func(p Tx) (err error) {
		due, err = p.Due(lane, f.Now(), most)
		return err
	}); err != nil {
		return nil, 0, err
	}
	for _, e := range due {
		var one []task
		err := f.claiming(ctx, func(t *txn) error {
			now, found, err := t.Delivery(e.Lead)
			if err != nil || !found || now.Token != e.Token { // another process was faster
				return err
			}
			if err := t.requireCurrent(); err != nil {
				return err
			}
			one, err = t.claimInto(nil, e)
			return err
		})
		if err != nil {
			one = nil
			if err := f.putAside(ctx, e.Lead, err); err != nil {
				return tasks, 0, err
			}
		}
		tasks = append(tasks, one...)
	}
	return tasks, len(due), nil
}

// putAside sets a lead aside, and tells the operator which.
func (f *Forwarder) putAside(ctx context.Context, seq int64, cause error) error {
	if ctx.Err() != nil || lead.KindOf(cause) == lead.Unavailable || errors.Is(cause, errStale) {
		return cause
	}
	var id string
	err := f.Store.Update(ctx, func(p Tx) (err error) {
		if id, err = p.IDOf(seq); err != nil {
			return err
		}
		return p.SetAside(seq, f.Now().Add(setAside))
	})
	if err == nil {
		f.Log.Error("a lead cannot be passed on: it is set aside for an hour, and the others go on", "lead", id, "row", seq, "cause", cause)
	}
	return err
}

func (f *Forwarder) releaseSlots(slots []string) {
	for _, id := range slots {
		f.slots.release(id)
	}
}

// claim does what an errand asks for: it returns a message to send, or nil where there is none now.
func (t *txn) claim(e buyer.Delivery) (*task, error) {
	l, err := t.LeadBySeq(e.Lead)
	if err != nil {
		return nil, err
	}
	if l.Status != lead.Received { // it was closed by hand
		return nil, t.EndDelivery(e.Lead)
	}
	if err := t.noteInterrupted(&e); err != nil {
		return nil, err
	}
	if reason := rejectReason(l, t.f.Suppressed); reason != "" {
		return nil, t.reject(t.people.fingerprint(l), e, reason)
	}
	to := t.f.Coverage().Find(e.BuyerQueue)
	if e.Step == buyer.StepAsk {
		return t.ask(e, l, to)
	}
	offer, found, err := t.Offer(e.Offer)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, fmt.Errorf("there is no offer %s, though it is on its way", e.Offer)
	}
	switch {
	case to == nil || to.State == buyer.Off:
		return nil, t.orphaned(l, e, offer)
	case to.State != buyer.Active && (e.Step == buyer.StepOffer || offer.OneStep && !e.MayHaveContact):
		return nil, t.tryNextBuyer(e, offer, buyer.OfferFailed) // paused since, and it was not shown who the person is
	case e.Step == buyer.StepOffer && t.now.After(offer.At.Add(buyer.OfferLifetime)):
		return nil, t.tryNextBuyer(e, offer, buyer.OfferFailed)
	case !t.slot(to.ID):
		return nil, t.PutDelivery(e) // its turn comes when a slot is free
	}
	return t.lease(task{delivery: e, lead: l, fingerprint: t.people.fingerprint(l), offer: offer, to: to})
}

// noteInterrupted writes down a message that a process took to be sent, and whose answer it did not live to note.
func (t *txn) noteInterrupted(e *buyer.Delivery) error {
	if e.Step == buyer.StepAsk || e.Owner == "" || e.SentAt.IsZero() {
		return nil
	}
	e.Owner = ""
	return t.AddAttempt(buyer.Attempt{
		Offer: e.Offer, Lead: e.Lead, Kind: task{delivery: *e}.kind(), At: e.SentAt, URL: e.URL, Decision: buyer.Unknown,
		Failure: "interrupted: it may have been sent, and no answer was noted",
	})
}

// rejectReason says why a lead must not be passed on to anybody, or "".
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

// reject ends the way of a lead that must not be passed on. Where a buyer may have the contact, the operator has to know.
func (t *txn) reject(print string, e buyer.Delivery, reason string) error {
	to := lead.Rejected
	if e.MayHaveContact {
		to = lead.Errored
	}
	if e.Offer != "" {
		offer, found, err := t.Offer(e.Offer)
		if err != nil {
			return err
		}
		if found {
			state := buyer.OfferFailed
			if to == lead.Errored {
				state = buyer.OfferLost
			}
			if err := t.close(offer, state, ""); err != nil {
				return err
			}
		}
	}
	return t.end(print, e, to, reason)
}

// orphaned deals with an errand whose buyer was removed or switched off. No contact leaves for it any more: the next buyer is
// asked where it certainly has none, and else the operator has to find out.
func (t *txn) orphaned(l lead.Lead, e buyer.Delivery, offer buyer.Offer) error {
	if b, err := t.Buyer(e.BuyerQueue); err == nil && b.State != buyer.Off {
		return nil // added a moment ago, by another process: it is known soon
	} else if err != nil && lead.KindOf(err) != lead.NotFound {
		return err
	}
	if e.MayHaveContact {
		return t.lose(l, t.people.fingerprint(l), e, offer, "", "the buyer was removed or switched off, and may have the contact")
	}
	return t.tryNextBuyer(e, offer, buyer.OfferFailed)
}

// slot takes a slot of a buyer, to be given back if the transaction fails.
func (t *txn) slot(id string) bool {
	if !t.f.slots.take(id) {
		return false
	}
	t.held = append(t.held, id)
	return true
}

// lease makes a task this process's own for a while. Where it hands the contact over, the buyer may have it from here on,
// unless it turns out that nothing was sent.
func (t *txn) lease(x task) (*task, error) {
	x.mayHaveHad = x.delivery.MayHaveContact
	if x.delivery.Step == buyer.StepDeliver {
		x.delivery.MayHaveContact = true
	}
	x.delivery.Owner, x.delivery.DueAt = t.f.Owner, t.now.Add(buyer.Lease)
	x.delivery.Token++
	x.delivery.SentAt, x.delivery.URL = t.now, x.to.Terms.URL
	return &x, t.PutDelivery(x.delivery)
}
