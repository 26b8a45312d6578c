package operator

import (
	"context"
	"fmt"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// Closed is what was done about one lead that was to be closed.
type Closed struct {
	Lead string
	Left string // why it was left as it is, or ""
}

// Reason reads why a lead is closed. A wrong one is not repeated: it may name the person.
func Reason(text string) (string, error) {
	text, err := words(text)
	if err != nil || text == "" {
		return "", Problems{{"why", fmt.Sprintf("write 1 to %d characters on one line", maxNameLength)}}
	}
	return text, nil
}

// CloseLead takes a lead out of sale for good, and keeps its person. One whose contact may be with a buyer is left as it
// is: to say that it goes to nobody would be wrong.
func (d *Operator) CloseLead(ctx context.Context, id, why string) (c Closed, err error) {
	if why, err = Reason(why); err != nil {
		return c, err
	}
	err = d.Store.Update(ctx, func(p Tx) error {
		c = Closed{Lead: id}
		seq, l, err := find(p, id)
		if lead.KindOf(err) == lead.NotFound {
			c.Left = "there is no lead with this id"
			return nil
		}
		if err != nil {
			return err
		}
		c.Lead = l.ID
		if c.Left, err = unsaleable(p, seq, l); err != nil || c.Left != "" {
			return err
		}
		now := d.now()
		if _, err := p.DropOffers(seq, now); err != nil {
			return err
		}
		if err := p.EndDelivery(seq); err != nil {
			return err
		}
		if err := p.LeaveMarket(l.Request.Fingerprint(d.Persons.Key), now); err != nil {
			return err
		}
		return p.Change(seq, l.Status, lead.Change{At: now, Status: lead.Rejected, Actor: lead.ByOperator, Reason: why})
	})
	return c, err
}

// unsaleable says why a lead cannot be closed, or "".
func unsaleable(p Tx, seq int64, l lead.Lead) (string, error) {
	switch l.Status {
	case lead.Received, lead.Collected:
		return underWay(p, seq, l.ID)
	case lead.Rejected:
		return "it is already rejected, and no buyer gets it", nil
	case lead.Errored:
		return "it is in error: no buyer is asked about it unless you release or replay it. foyer leads show " + l.ID + " says who may have the contact", nil
	}
	return fmt.Sprintf("it is %s: %s", l.Status, over[l.Status]), nil
}

// underWay says that a buyer has the contact, or is about to have it.
func underWay(p Tx, seq int64, id string) (string, error) {
	e, found, err := p.Delivery(seq)
	if err != nil || !found {
		return "", err
	}
	o, _, err := p.Offer(e.Offer)
	if err != nil || !e.MayHaveContact && o.State != buyer.OfferAccepted { // nobody was shown who the person is, and nobody waits to be
		return "", err
	}
	return fmt.Sprintf("%s has its contact, or is about to have it: wait until it is forwarded or in error. foyer leads show %s says what was sent", e.BuyerQueue, id), nil
}
