package operator

import (
	"context"
	"fmt"
	"slices"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// Withdrawal is why a lead leaves the market unsold.
type Withdrawal int

// The three ways in which a person takes a lead off the market. They differ in what they do about a buyer, and about repeats of the lead.
const (
	Closing    Withdrawal = iota // by the operator: a promise to a buyer stands, and a repeat may be offered instead
	Requesting                   // by the person on the privacy page: the repeats are withdrawn, too
	Erasing                      // by the operator for the person: the lead ends in any case, and its repeats stay held
)

// Withdrawn is what becomes of a lead. The zero value means that it stays as it is.
type Withdrawn struct {
	Status lead.Status      // the new status
	Offers buyer.OfferState // the new state of its open offers
}

// Withdraw decides what becomes of a lead with a status that is to leave the market. d is its delivery and offer the state of the
// offer that is being delivered; both are zero if there is none.
func Withdraw(why Withdrawal, status lead.Status, d buyer.Delivery, offer buyer.OfferState) Withdrawn {
	switch {
	case status != lead.Received && status != lead.Collected:
		return Withdrawn{} // it left the market before
	case d.MayHaveContact && why == Erasing: // the operator has to know that a buyer may have the contact
		return Withdrawn{Status: lead.Errored, Offers: buyer.OfferLost}
	case d.MayHaveContact: // a closed lead would claim that no buyer has the contact
		return Withdrawn{}
	case offer == buyer.OfferAccepted && why == Closing: // the buyer is about to get the contact
		return Withdrawn{}
	}
	return Withdrawn{Status: lead.Rejected, Offers: buyer.OfferFailed}
}

// withdraw carries out what Withdraw decides, and returns it with the delivery that it decided by. The change says who makes it,
// when and why; its status is that of the decision.
func (op *Operator) withdraw(tx *store.Tx, why Withdrawal, seq int64, l lead.Lead, c lead.Change) (w Withdrawn, d buyer.Delivery, err error) {
	d, _, err = tx.Delivery(seq)
	if err != nil {
		return w, d, err
	}
	o, _, err := tx.Offer(d.Offer)
	if err != nil {
		return w, d, err
	}
	if w = Withdraw(why, l.Status, d, o.State); w.Status == "" {
		return w, d, nil
	}
	if err := closeOffers(tx, seq, w.Offers, c.At); err != nil {
		return w, d, err
	}
	if err := tx.EndDelivery(seq); err != nil {
		return w, d, err
	}
	if why == Closing {
		if err := tx.LeaveMarket(op.fingerprint(l), c.At); err != nil {
			return w, d, err
		}
	}
	if c.Status = w.Status; c.Status == lead.Errored {
		c.Reason += "; a buyer may have the contact"
	}
	return w, d, tx.Change(seq, l.Status, c)
}

// closeOffers gives the open offers of a lead their last state.
func closeOffers(tx *store.Tx, seq int64, state buyer.OfferState, now time.Time) error {
	offers, err := tx.Offers(seq)
	for _, o := range offers {
		if err == nil && (o.State == buyer.OfferOpen || o.State == buyer.OfferAccepted) {
			err = closeOffer(tx, o, state, now)
		}
	}
	return err
}

// closeOffer gives an offer its last state. The caps of its buyer may allow another lead now.
func closeOffer(tx *store.Tx, o buyer.Offer, state buyer.OfferState, now time.Time) error {
	before := o.State
	o.State = state
	if err := tx.PutOffer(o, before); err != nil {
		return err
	}
	return forward.WakeBuyer(tx, o.Buyer, now)
}

func (op *Operator) fingerprint(l lead.Lead) string { return l.Request.Fingerprint(op.Persons.Key) }

// keptReason says why a lead was not closed.
func keptReason(d buyer.Delivery, l lead.Lead) string {
	switch l.Status {
	case lead.Received, lead.Collected:
		return fmt.Sprintf("%s has its contact, or is about to have it: wait until it is forwarded or in error. Its timeline says what was sent", d.BuyerQueue)
	case lead.Rejected:
		return "it is already rejected, and no buyer gets it"
	case lead.Errored:
		return "it is in error: no buyer is asked about it unless you release or replay it. Its timeline says who may have the contact"
	}
	return fmt.Sprintf("it is %s: %s", l.Status, closedReason[l.Status])
}

// Closed is the result of closing one lead.
type Closed struct {
	Lead string
	Left string // why the lead was left unchanged, or ""
}

// Reason validates why something is done: a lead closed, a legal hold added, a person looked at. The error does not repeat a bad reason,
// which may name the person.
func Reason(text string) (string, error) {
	text, err := entered.PlainText(text)
	if err != nil || text == "" {
		return "", entered.Problem("why", fmt.Sprintf("write 1 to %d characters on one line", entered.MaxNameLength))
	}
	return text, refuseContact("why", text)
}

// refuseContact refuses a text that is kept for good, also when the person is erased, if it seems to tell who that is.
func refuseContact(field, text string) error {
	if entered.HasContact(text) {
		return entered.Problem(field, "leave out phone numbers and email addresses: this text is kept for good")
	}
	return nil
}

// CloseLead takes a lead off the market for good and keeps its contact. A lead whose contact may be with a buyer is left
// unchanged: recording that no buyer gets it would be wrong.
func (op *Operator) CloseLead(ctx context.Context, by audit.Actor, id, why string) (c Closed, err error) {
	if why, err = Reason(why); err != nil {
		return c, err
	}
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
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
		w, d, err := op.withdraw(tx, Closing, seq, l, lead.Change{At: op.now(), Actor: by.Role(), Reason: why})
		if err != nil {
			return err
		}
		if w.Status == "" {
			c.Left = keptReason(d, l)
			return nil
		}
		return op.record(tx, by, audit.LeadClose, l.ID, audit.Detail{"status": []lead.Status{l.Status, w.Status}})
	})
	return c, err
}

// ErasedReason begins the reason in the history of an erased lead.
const ErasedReason = "personal details erased"

// Erase deletes the personal data of a lead (the right to erasure) and returns the lead's own id. The lead itself stays, because it was accepted. If it
// might still be forwarded, Erase takes it off the market. A lead under a legal hold is refused, and stays as it is.
func (op *Operator) Erase(ctx context.Context, by audit.Actor, id string) (own string, err error) {
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		seq, l, err := findLead(tx, id)
		if err != nil {
			return err
		}
		own = l.ID
		if err := refuseErasing(tx, l.ID); err != nil {
			return err
		}
		c := lead.Change{At: op.now(), Status: l.Status, Actor: by.Role(), Reason: ErasedReason}
		w, _, err := op.withdraw(tx, Erasing, seq, l, c)
		if err != nil {
			return err
		}
		if w.Status == "" {
			if err := tx.AddHistory(seq, c); err != nil {
				return err
			}
		}
		if err := tx.Erase(seq, l.Evidence.Anonymized(), op.fingerprint(l), store.SearchTerms(op.Persons.Key, l.Request.Contact)); err != nil {
			return err
		}
		detail := audit.Detail{}
		if w.Status != "" {
			detail["status"] = []lead.Status{l.Status, w.Status}
		}
		return op.record(tx, by, audit.LeadErase, l.ID, detail)
	})
	return own, err
}

// Saw reports whether the buyer of an offer has seen the contact, judged by every attempt to send anything about the lead.
func Saw(o buyer.Offer, attempts []buyer.Attempt) buyer.Seen {
	return o.Saw(slices.DeleteFunc(slices.Clone(attempts), func(a buyer.Attempt) bool { return a.Kind != forward.LeadDelivered }))
}
