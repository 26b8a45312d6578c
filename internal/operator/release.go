package operator

import (
	"context"
	"slices"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// findLead returns a lead and its row number, by any id that an operator may know it by.
func findLead(tx *store.Tx, id string) (seq int64, l lead.Lead, err error) {
	if seq, err = tx.LeadOf(id); err != nil {
		return 0, l, err
	}
	l, err = tx.LeadBySeq(seq)
	return seq, l, err
}

// Release puts a lead on the market: one in error, because the operator found out that the buyer does not have the contact
// or does not want it; or a held one, whatever kept it off the market. From then on any buyer that covers the lead may be
// asked; with no coverage, the lead is held. The returned lead's status says which.
func (op *Operator) Release(ctx context.Context, by audit.Actor, id string) (l lead.Lead, err error) {
	coverage, err := op.coverage(ctx, Trial{})
	if err != nil {
		return l, err
	}
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		var seq int64
		var err error
		if seq, l, err = findLead(tx, id); err != nil {
			return err
		}
		covered := coverage.Covers(l.Request.Service, l.Request.ZIP, l.Request.Contact.Phone)
		if err := checkReleasable(l, covered); err != nil {
			return err
		}
		if l.Status == lead.Errored {
			if err := closeLostOffer(tx, seq, op.now()); err != nil {
				return err
			}
		}
		return op.release(tx, by, seq, &l, covered)
	})
	return l, err
}

// release queues a lead, or holds it if no buyer covers it. Whatever kept it off the market no longer counts.
func (op *Operator) release(tx *store.Tx, by audit.Actor, seq int64, l *lead.Lead, covered bool) error {
	before := l.Status
	change := lead.Change{At: op.now(), Status: lead.Collected, Actor: by.Role(), Reason: "released; nobody covers it now"}
	if err := tx.EnterMarket(op.fingerprint(*l), seq, l.CreatedAt); err != nil {
		return err
	}
	if !slices.Contains(l.Marks, lead.Released) { // otherwise the next scan of held leads might keep it off the market again
		l.Marks = append(l.Marks, lead.Released)
		if err := tx.Mark(seq, l.Marks); err != nil {
			return err
		}
	}
	// While nobody covers it, a repeat of this lead may be offered as soon as a buyer does, too.
	if covered {
		change.Status, change.Reason = lead.Received, "released: a buyer that covers it is to be asked"
		if err := tx.Queue(seq, change.At); err != nil {
			return err
		}
	} else if err := tx.LeaveMarket(op.fingerprint(*l), change.At); err != nil {
		return err
	}
	l.Status = change.Status
	if err := tx.Change(seq, before, change); err != nil {
		return err
	}
	return op.record(tx, by, audit.LeadRelease, l.ID, audit.Detail{"status": []lead.Status{before, l.Status}})
}

// checkReleasable says why a lead cannot be released.
func checkReleasable(l lead.Lead, covered bool) error {
	switch {
	case l.Status != lead.Errored && l.Status != lead.Collected:
		return entered.Refuse("%s is %s: only a lead in %s or on hold can be released", l.ID, l.Status, lead.Errored)
	case l.Request.Contact.Phone == "":
		return entered.Refuse("%s no longer holds a contact: there is nothing to pass on", l.ID)
	case l.Status == lead.Collected && !covered:
		return entered.Refuse("%s is held because nobody covers %s in %s: it is offered as soon as a buyer does", l.ID, l.Request.Service, l.Request.ZIP)
	}
	return nil
}

// closeLostOffer closes the offer that left the lead in error: it no longer counts toward the buyer's caps. A buyer that refused the
// contact has declined.
func closeLostOffer(tx *store.Tx, seq int64, now time.Time) error {
	o, err := lostOffer(tx, seq)
	switch {
	case err != nil || o.ID == "":
		return err
	case o.Code != "":
		return closeOffer(tx, o, buyer.OfferDeclined, now)
	}
	return closeOffer(tx, o, buyer.OfferFailed, now)
}

// lostOffer returns the offer that left the lead in error. Its id is empty if there is none.
func lostOffer(tx *store.Tx, seq int64) (o buyer.Offer, err error) {
	offers, err := tx.Offers(seq)
	for _, o := range slices.Backward(offers) {
		if o.State == buyer.OfferLost {
			return o, nil
		}
	}
	return o, err
}

// Replayed is the result of replaying one lead in error.
type Replayed struct {
	Lead  string
	Buyer string
	Offer string
	Left  string // why the lead was left unchanged, or ""
}

// Replay queues a lead in error for the buyer that accepted it, with the same offer and the same message.
func (op *Operator) Replay(ctx context.Context, by audit.Actor, id string) (r Replayed, err error) {
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		seq, l, err := findLead(tx, id)
		if err != nil {
			return err
		}
		if l.Status != lead.Errored {
			return entered.Refuse("%s is %s: only a lead in %s can be put on its way again", l.ID, l.Status, lead.Errored)
		}
		if r, err = op.replay(tx, by, seq, l, false); err == nil && r.Left != "" {
			err = entered.Refusal(r.Left)
		}
		return err
	})
	return r, err
}

// replayBatch is how many leads one transaction replays.
const replayBatch = 100

// ReplayAll replays every lead in error that was received in [from, to). A dry run reads snapshots, and says what would be sent.
func (op *Operator) ReplayAll(ctx context.Context, by audit.Actor, from, to time.Time, dry bool) (all []Replayed, err error) {
	var failed []int64
	if err := op.Store.View(ctx, func(tx *store.Tx) (err error) { failed, err = tx.FailedBetween(from, to); return err }); err != nil {
		return nil, err
	}
	transaction := op.Store.Update
	if dry {
		transaction = op.Store.View
	}
	for batch := range slices.Chunk(failed, replayBatch) {
		done := len(all)
		if err := transaction(ctx, func(tx *store.Tx) error {
			all = all[:done]
			for _, seq := range batch {
				l, err := tx.LeadBySeq(seq)
				if err != nil {
					return err
				}
				if l.Status != lead.Errored { // changed since FailedBetween
					continue
				}
				r, err := op.replay(tx, by, seq, l, dry)
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

// replay sends a lead in error to the same buyer again, or says why it cannot.
func (op *Operator) replay(tx *store.Tx, by audit.Actor, seq int64, l lead.Lead, dry bool) (r Replayed, err error) {
	o, err := lostOffer(tx, seq)
	if err != nil {
		return r, err
	}
	r = Replayed{Lead: l.ID, Buyer: o.Buyer, Offer: o.ID}
	if r.Left, err = op.notReplayable(tx, l, o); err != nil || r.Left != "" || dry {
		return r, err
	}
	if o.State, o.Code = buyer.OfferAccepted, ""; o.OneStep {
		o.State = buyer.OfferOpen
	}
	if err := tx.PutOffer(o, buyer.OfferLost); err != nil {
		return r, err
	}
	now := op.now()
	if err := tx.Queue(seq, now); err != nil {
		return r, err
	}
	d, _, err := tx.Delivery(seq)
	if err != nil {
		return r, err
	}
	d.BuyerQueue, d.Step, d.Offer, d.MayHaveContact = o.Buyer, buyer.StepDeliver, o.ID, true // the buyer may have the contact from the first delivery
	if err := tx.PutDelivery(d); err != nil {
		return r, err
	}
	if err := tx.Change(seq, lead.Errored, lead.Change{At: now, Status: lead.Received, Actor: by.Role(), Reason: "sent again to " + o.Buyer}); err != nil {
		return r, err
	}
	return r, op.record(tx, by, audit.LeadReplay, l.ID, audit.Detail{"buyer": o.Buyer, "offer": o.ID})
}

// notReplayable says why a lead in error cannot be sent to the same buyer again, or "".
func (op *Operator) notReplayable(tx *store.Tx, l lead.Lead, o buyer.Offer) (string, error) {
	switch {
	case l.Request.Contact.Phone == "":
		return "it no longer holds a contact", nil
	case op.Suppressed(l.Request.Contact.Phone):
		return "its number is suppressed", nil
	case o.ID == "":
		return "no buyer accepted it: release it instead", nil
	}
	_, err := tx.Buyer(o.Buyer)
	if lead.KindOf(err) == lead.NotFound {
		return "its buyer was removed: release it instead", nil
	}
	return "", err
}
