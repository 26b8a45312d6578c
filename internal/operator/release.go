package operator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// find is a lead and its row, by any id that an operator may know it by.
func find(p Tx, id string) (seq int64, l lead.Lead, err error) {
	if seq, err = p.LeadOf(id); err != nil {
		return 0, l, err
	}
	l, err = p.LeadBySeq(seq)
	return seq, l, err
}

// Release puts a lead on the market: one in error, because the operator has found out that the buyer does not have the contact, or
// does not want it; or one that is held, whatever kept it off the market. Whoever covers it may be asked from here on; where nobody
// does, it is held. It says which.
func (d *Operator) Release(ctx context.Context, id string) (l lead.Lead, err error) {
	coverage, err := d.coverage(ctx)
	if err != nil {
		return l, err
	}
	err = d.Store.Update(ctx, func(p Tx) error {
		var seq int64
		var err error
		if seq, l, err = find(p, id); err != nil {
			return err
		}
		covered := coverage.Covers(l.Request.Service, l.Request.ZIP)
		if err := releasable(l, covered); err != nil {
			return err
		}
		if l.Status == lead.Errored {
			if err := releaseHeld(p, seq, d.now()); err != nil {
				return err
			}
		}
		return d.release(p, seq, &l, covered)
	})
	return l, err
}

// release puts a lead on its way, or holds it where nobody covers it. What kept it off the market counts no longer.
func (d *Operator) release(p Tx, seq int64, l *lead.Lead, covered bool) error {
	before := l.Status
	change := lead.Change{At: d.now(), Status: lead.Collected, Actor: lead.ByOperator, Reason: "released; nobody covers it now"}
	if err := p.EnterMarket(l.Request.Fingerprint(d.Persons.Key), seq, l.CreatedAt); err != nil {
		return err
	}
	if !slices.Contains(l.Marks, lead.Released) { // or the next look at what is held might keep it off again
		l.Marks = append(l.Marks, lead.Released)
		if err := p.Mark(seq, l.Marks); err != nil {
			return err
		}
	}
	if !covered { // one that repeats it may be offered as soon as somebody covers it, too
		if err := p.LeaveMarket(l.Request.Fingerprint(d.Persons.Key), change.At); err != nil {
			return err
		}
	}
	if covered {
		change.Status, change.Reason = lead.Received, "released: a buyer that covers it is to be asked"
		if err := p.Queue(seq, change.At); err != nil {
			return err
		}
	}
	l.Status = change.Status
	return p.Change(seq, before, change)
}

// releasable says why a lead cannot be released, if it cannot.
func releasable(l lead.Lead, covered bool) error {
	switch {
	case l.Status == lead.Errored:
		return locked(l)
	case l.Status != lead.Collected:
		return fmt.Errorf("%s is %s: only a lead in %s or on hold can be released", l.ID, l.Status, lead.Errored)
	case l.Request.Contact.Phone == "":
		return fmt.Errorf("%s holds no contact any more: there is nothing to pass on", l.ID)
	case !covered:
		return fmt.Errorf("%s is held because nobody covers %s in %s: it is offered as soon as a buyer does", l.ID, l.Request.Service, l.Request.ZIP)
	}
	return nil
}

// locked says why a lead cannot be put on its way again, if it cannot.
func locked(l lead.Lead) error {
	switch {
	case l.Status != lead.Errored:
		return fmt.Errorf("%s is %s: only a lead in %s can be put on its way again", l.ID, l.Status, lead.Errored)
	case l.Request.Contact.Phone == "":
		return fmt.Errorf("%s no longer holds a contact: there is nothing to pass on", l.ID)
	}
	return nil
}

// releaseHeld closes the offer by which a lead was locked: it no longer counts towards the buyer's caps. A buyer that refused
// the contact has declined.
func releaseHeld(p Tx, seq int64, now time.Time) error {
	o, found, err := lostOffer(p, seq)
	if err != nil || !found {
		return err
	}
	before := o.State
	if o.State = buyer.OfferFailed; o.Code != "" {
		o.State = buyer.OfferDeclined
	}
	if err := p.PutOffer(o, before); err != nil {
		return err
	}
	s, err := p.Health(o.Buyer)
	if err != nil {
		return err
	}
	return p.PutHealth(o.Buyer, s.Wake(now)) // a place under its caps may be free
}

// lostOffer is the offer by which a lead is locked.
func lostOffer(p Tx, seq int64) (o buyer.Offer, found bool, err error) {
	offers, err := p.Offers(seq)
	for _, o := range slices.Backward(offers) {
		if o.State == buyer.OfferLost {
			return o, true, nil
		}
	}
	return o, false, err
}

// Replayed is what was done about one lead in error.
type Replayed struct {
	Lead  string
	Buyer string
	Offer string
	Left  string // why it was left as it is, or ""
}

// Replay puts a lead in error on its way to the buyer that accepted it, again: the same offer, the same message.
func (d *Operator) Replay(ctx context.Context, id string) (r Replayed, err error) {
	err = d.Store.Update(ctx, func(p Tx) error {
		seq, l, err := find(p, id)
		if err != nil {
			return err
		}
		if err := locked(l); err != nil {
			return err
		}
		if r, err = d.replay(p, seq, l); err == nil && r.Left != "" {
			err = errors.New(r.Left)
		}
		return err
	})
	return r, err
}

// replaysAtOnce is how many leads one transaction puts on their way.
const replaysAtOnce = 100

// ReplayAll does the same for every lead in error that was taken in from one time up to another. A dry run only tells.
func (d *Operator) ReplayAll(ctx context.Context, from, to time.Time, dryRun bool) (all []Replayed, err error) {
	failed, err := d.Store.FailedBetween(ctx, from, to)
	if err != nil {
		return nil, err
	}
	turn := d.Store.Update
	if dryRun {
		turn = d.dryRun
	}
	for some := range slices.Chunk(failed, replaysAtOnce) {
		begun := len(all)
		if err := turn(ctx, func(p Tx) error {
			all = all[:begun]
			for _, seq := range some {
				l, err := p.LeadBySeq(seq)
				if err != nil {
					return err
				}
				if l.Status != lead.Errored { // somebody was faster
					continue
				}
				r, err := d.replay(p, seq, l)
				if err != nil {
					return err
				}
				all = append(all, r)
			}
			return nil
		}); err != nil {
			return all, err
		}
	}
	return all, nil
}

func (d *Operator) replay(p Tx, seq int64, l lead.Lead) (r Replayed, err error) {
	r.Lead = l.ID
	o, found, err := lostOffer(p, seq)
	if err != nil {
		return r, err
	}
	r.Buyer, r.Offer = o.Buyer, o.ID
	if r.Left, err = d.why(p, l, o, found); err != nil || r.Left != "" {
		return r, err
	}
	before := o.State
	if o.State, o.Code = buyer.OfferAccepted, ""; o.OneStep {
		o.State = buyer.OfferOpen
	}
	if err := p.PutOffer(o, before); err != nil {
		return r, err
	}
	now := d.now()
	if err := p.Queue(seq, now); err != nil {
		return r, err
	}
	e, _, err := p.Delivery(seq)
	if err != nil {
		return r, err
	}
	e.BuyerQueue, e.Step, e.Offer, e.MayHaveContact = o.Buyer, buyer.StepDeliver, o.ID, true // it may have the contact since before
	if err := p.PutDelivery(e); err != nil {
		return r, err
	}
	return r, p.Change(seq, lead.Errored, lead.Change{At: now, Status: lead.Received, Actor: lead.ByOperator, Reason: "sent again to " + o.Buyer})
}

// why says why a lead in error cannot be sent to the same buyer again, or "".
func (d *Operator) why(p Tx, l lead.Lead, o buyer.Offer, accepted bool) (string, error) {
	switch {
	case l.Request.Contact.Phone == "":
		return "it no longer holds a contact", nil
	case d.Suppressed(l.Request.Contact.Phone):
		return "its number is suppressed", nil
	case !accepted:
		return "no buyer accepted it: release it instead", nil
	}
	_, err := present(p, o.Buyer)
	if lead.KindOf(err) == lead.NotFound {
		return "its buyer was removed: release it instead", nil
	}
	return "", err
}
