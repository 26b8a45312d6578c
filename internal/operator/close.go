package operator

import (
	"context"
	"fmt"
	"slices"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
)

// Closed is the result of closing one lead.
type Closed struct {
	Lead string
	Left string // why the lead was left unchanged, or ""
}

// Reason validates why a lead is closed. The error does not repeat a bad reason, which may name the person.
func Reason(text string) (string, error) {
	text, err := plainText(text)
	if err != nil || text == "" {
		return "", Problems{{"why", fmt.Sprintf("write 1 to %d characters on one line", maxNameLength)}}
	}
	return text, nil
}

// CloseLead takes a lead off the market for good and keeps its contact. A lead whose contact may be with a buyer is left
// unchanged: recording that no buyer gets it would be wrong.
func (op *Operator) CloseLead(ctx context.Context, id, why string) (c Closed, err error) {
	if why, err = Reason(why); err != nil {
		return c, err
	}
	err = op.Store.Update(ctx, func(tx Tx) error {
		c = Closed{Lead: id}
		seq, l, err := findLead(tx, id)
		if lead.KindOf(err) == lead.NotFound {
			c.Left = "there is no lead with this id"
			return nil
		}
		if err != nil {
			return err
		}
		c.Lead = l.ID
		if c.Left, err = notClosable(tx, seq, l); err != nil || c.Left != "" {
			return err
		}
		now := op.now()
		if _, err := tx.DropOffers(seq, now); err != nil {
			return err
		}
		if err := tx.EndDelivery(seq); err != nil {
			return err
		}
		if err := tx.LeaveMarket(l.Request.Fingerprint(op.Persons.Key), now); err != nil {
			return err
		}
		return tx.Change(seq, l.Status, lead.Change{At: now, Status: lead.Rejected, Actor: lead.ByOperator, Reason: why})
	})
	return c, err
}

// notClosable says why a lead cannot be closed, or "".
func notClosable(tx Tx, seq int64, l lead.Lead) (string, error) {
	switch l.Status {
	case lead.Received, lead.Collected:
		return contactOutReason(tx, seq, l.ID)
	case lead.Rejected:
		return "it is already rejected, and no buyer gets it", nil
	case lead.Errored:
		return "it is in error: no buyer is asked about it unless you release or replay it. foyer leads show " + l.ID + " says who may have the contact", nil
	}
	return fmt.Sprintf("it is %s: %s", l.Status, closedReason[l.Status]), nil
}

// contactOutReason says that a buyer has the contact, or is about to have it.
func contactOutReason(tx Tx, seq int64, id string) (string, error) {
	d, found, err := tx.Delivery(seq)
	if err != nil || !found {
		return "", err
	}
	o, _, err := tx.Offer(d.Offer)
	if err != nil || !d.MayHaveContact && o.State != buyer.OfferAccepted { // no buyer has the contact or is about to get it
		return "", err
	}
	return fmt.Sprintf("%s has its contact, or is about to have it: wait until it is forwarded or in error. foyer leads show %s says what was sent", d.BuyerQueue, id), nil
}

// Saw reports whether the buyer of an offer has seen the contact, judged by every attempt to send anything about the lead.
func Saw(o buyer.Offer, attempts []buyer.Attempt) buyer.Seen {
	return o.Saw(slices.DeleteFunc(slices.Clone(attempts), func(a buyer.Attempt) bool { return a.Kind != forward.LeadDelivered }))
}
