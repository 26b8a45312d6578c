package forward

import (
	"context"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// task is one message that is to be sent.
type task struct {
	errand       buyer.Errand
	lead         lead.Lead
	offer        buyer.Offer
	to           *buyer.Prospect
	mayHaveHad   bool // whether the buyer may have had the contact before this attempt
	mayBeWritten bool // an earlier try to write the answer down failed, as far as is known
}

// take claims due errands of a lane. What looks for a buyer finds one here, and is taken too where that one has a slot
// free; else it goes to wait in the buyer's lane. seen is how many were due.
func (f *Forwarder) take(ctx context.Context, lane string, most int) (tasks []task, seen int, err error) {
	var held []string
	err = f.Books.Turn(ctx, func(p Page) error {
		f.giveBack(held) // from a run of this function that came to nothing
		t := f.turn(p)
		tasks, seen = nil, 0
		defer func() { held = t.held }()
		due, err := t.Due(lane, t.now, most)
		if err != nil {
			return err
		}
		t.now = f.Now().Truncate(time.Microsecond) // another process may have had its turn first: no offer is older than its lead
		for _, e := range due {
			taken, err := t.claim(e)
			if err != nil {
				return err
			}
			if taken != nil {
				tasks = append(tasks, *taken)
			}
		}
		seen = len(due)
		return t.save()
	})
	if err != nil {
		f.giveBack(held)
		return nil, 0, err
	}
	return tasks, seen, nil
}

func (f *Forwarder) giveBack(slots []string) {
	for _, id := range slots {
		f.slots.release(id)
	}
}

// claim does what an errand asks for: it returns a message to send, or nil where there is none now.
func (t *turn) claim(e buyer.Errand) (*task, error) {
	l, err := t.LeadAt(e.Lead)
	if err != nil {
		return nil, err
	}
	if l.Status != lead.Received { // it was closed by hand
		return nil, t.EndErrand(e.Lead)
	}
	if reason := barred(l, t.f.Suppressed); reason != "" {
		return nil, t.bar(e, reason)
	}
	to := t.f.Coverage().Find(e.Lane)
	if e.Step == buyer.Ask {
		return t.ask(e, l, to)
	}
	offer, found, err := t.Offer(e.Offer)
	if err != nil {
		return nil, err
	}
	switch {
	case !found || to == nil:
		return nil, t.orphaned(l, e, offer)
	case to.State != buyer.Active && (e.Step == buyer.Propose || offer.OneStep && !e.MayHaveContact):
		return nil, t.askNext(e, offer, buyer.Dropped) // paused since, and it was not shown who the person is
	case e.Step == buyer.Propose && t.now.After(offer.At.Add(buyer.OfferLife)):
		return nil, t.askNext(e, offer, buyer.Dropped)
	case !t.slot(to.ID):
		return nil, nil // its turn comes when a slot is free
	}
	return t.lease(task{errand: e, lead: l, offer: offer, to: to})
}

// barred says why a lead must not be passed on to anybody, or "".
func barred(l lead.Lead, suppressed func(phone string) bool) string {
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

// bar ends the way of a lead that must not be passed on. Where a buyer may have the contact, the operator has to know.
func (t *turn) bar(e buyer.Errand, reason string) error {
	to := lead.Rejected
	if e.MayHaveContact {
		to = lead.Failed
	}
	if e.Offer != "" {
		offer, found, err := t.Offer(e.Offer)
		if err != nil {
			return err
		}
		if found {
			state := buyer.Dropped
			if to == lead.Failed {
				state = buyer.Lost
			}
			if err := t.close(offer, state, ""); err != nil {
				return err
			}
		}
	}
	return t.end(e, to, reason)
}

// orphaned deals with an errand whose buyer was removed.
func (t *turn) orphaned(l lead.Lead, e buyer.Errand, offer buyer.Offer) error {
	if _, err := t.Buyer(e.Lane); err == nil {
		return nil // added a moment ago, by another process: it is known soon
	} else if lead.KindOf(err) != lead.NotFound {
		return err
	}
	if e.Step == buyer.Deliver && (!offer.OneStep || e.MayHaveContact) {
		return t.lose(l, e, offer, "", "the buyer that accepted was removed before it had the contact")
	}
	return t.askNext(e, offer, buyer.Dropped)
}

// slot takes a slot of a buyer, to be given back if the transaction fails.
func (t *turn) slot(id string) bool {
	if !t.f.slots.take(id) {
		return false
	}
	t.held = append(t.held, id)
	return true
}

// lease makes a task this process's own for a while. Where it hands the contact over, the buyer may have it from here on,
// unless it turns out that nothing was sent.
func (t *turn) lease(x task) (*task, error) {
	x.mayHaveHad = x.errand.MayHaveContact
	if x.errand.Step == buyer.Deliver {
		x.errand.MayHaveContact = true
	}
	x.errand.Owner, x.errand.DueAt = t.f.Owner, t.now.Add(buyer.Lease)
	x.errand.Token++
	return &x, t.PutErrand(x.errand)
}
