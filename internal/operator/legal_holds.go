package operator

import (
	"context"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// legalHoldPrefix begins the ids of legal holds. They are no secret.
const legalHoldPrefix = "legal_hold_"

// LegalHoldChange is a legal hold that was added or removed, and what else an operator has to know.
type LegalHoldChange struct {
	lead.LegalHold
	Others   []lead.LegalHold // other holds in force on the same lead
	Erased   bool             // the person was erased before: there is less to keep
	Requests []string         // ids of open privacy requests that the hold keeps open, or kept open until now
}

// AddLegalHold puts a lead under a legal hold: until it is removed, the person of the lead is not erased, and the audit trail keeps what is
// about the lead. The lead stays on the market or off it, as it is. The id of the lead is any that an operator knows it by.
func (op *Operator) AddLegalHold(ctx context.Context, by audit.Actor, leadID, why string) (c LegalHoldChange, err error) {
	if why, err = Reason(why); err != nil {
		return c, err
	}
	id := op.shortID(legalHoldPrefix)
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		seq, l, err := findLead(tx, leadID)
		if err != nil {
			return err
		}
		c = LegalHoldChange{LegalHold: lead.LegalHold{ID: id, LeadID: l.ID, CreatedAt: op.now(), CreatedBy: string(by), Why: why}, Erased: l.Erased()}
		if c.Others, err = holdsInForce(tx, l.ID); err != nil {
			return err
		}
		for _, h := range c.Others {
			if strings.EqualFold(h.Why, why) {
				return entered.Refuse("%s is under a legal hold for this already: %s, since %s", l.ID, h.ID, h.CreatedAt.Format(time.DateOnly))
			}
		}
		if c.Requests, err = requestsKeptOpen(tx, c.LegalHold, l); err != nil {
			return err
		}
		if err := tx.LegalHolds().Add(c.LegalHold, seq); err != nil {
			return err
		}
		return op.record(tx, by, audit.LegalHoldAdd, l.ID, audit.Detail{"legal_hold": id})
	})
	return c, err
}

// RemoveLegalHold ends a legal hold, and keeps on record that it was there. The id is that of the hold, or of a lead that is under one
// hold alone.
func (op *Operator) RemoveLegalHold(ctx context.Context, by audit.Actor, id, why string) (c LegalHoldChange, err error) {
	if why, err = Reason(why); err != nil {
		return c, err
	}
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		h, err := findLegalHold(tx, id)
		if err != nil {
			return err
		}
		_, l, err := findLead(tx, h.LeadID)
		if err != nil {
			return err
		}
		c = LegalHoldChange{Erased: l.Erased()}
		if c.Requests, err = requestsKeptOpen(tx, h, l); err != nil {
			return err
		}
		h.RemovedAt, h.RemovedBy, h.RemovedWhy = op.now(), string(by), why
		if err := tx.LegalHolds().Remove(h); err != nil {
			return err
		}
		c.LegalHold = h
		if c.Others, err = holdsInForce(tx, l.ID); err != nil {
			return err
		}
		return op.record(tx, by, audit.LegalHoldRemove, l.ID, audit.Detail{"legal_hold": h.ID})
	})
	return c, err
}

// findLegalHold finds a hold in force by its id, or by that of its lead.
func findLegalHold(tx *store.Tx, id string) (h lead.LegalHold, err error) {
	h, found, err := tx.LegalHolds().Find(id)
	switch {
	case err != nil:
		return h, err
	case found && !h.InForce():
		return h, entered.Refuse("%s was removed already, on %s", h.ID, h.RemovedAt.Format(time.DateOnly))
	case found:
		return h, nil
	}
	_, l, err := findLead(tx, id)
	if lead.KindOf(err) == lead.NotFound {
		return h, lead.NotFoundError("legal hold with this id, and no lead with it")
	}
	if err != nil {
		return h, err
	}
	holds, err := holdsInForce(tx, l.ID)
	switch {
	case err != nil:
		return h, err
	case len(holds) == 0:
		return h, entered.Refuse("%s is under no legal hold", l.ID)
	case len(holds) > 1:
		return h, entered.Refuse("%s is under %d legal holds, so its id does not say which one to remove: %s", l.ID, len(holds), strings.Join(lead.HoldIDs(holds), ", "))
	}
	return holds[0], nil
}

func holdsInForce(tx *store.Tx, leadID string) ([]lead.LegalHold, error) {
	holds, err := tx.LegalHolds().OfLead(leadID)
	return lead.HoldsInForce(holds), err
}

// requestsKeptOpen returns the privacy requests that a hold on a lead keeps open.
func requestsKeptOpen(tx *store.Tx, h lead.LegalHold, l lead.Lead) (ids []string, err error) {
	phone := l.Request.Contact.Phone
	requests, err := tx.PrivacyRequests().About(l.ID, phone)
	for _, r := range requests {
		if len(r.KeptOpenBy([]lead.HeldPerson{{LegalHold: h, Phone: phone}})) > 0 {
			ids = append(ids, r.ID)
		}
	}
	return ids, err
}

// refuseErasing refuses to erase the person of a lead that is under a legal hold. It must be called in the transaction that would erase.
func refuseErasing(tx *store.Tx, leadID string) error {
	holds, err := holdsInForce(tx, leadID)
	if err != nil || len(holds) == 0 {
		return err
	}
	return entered.Refuse("%s is under a legal hold, and its person cannot be erased: %s. When the matter is over, remove the hold first. Until then you can close the lead and suppress the phone number",
		leadID, describeHolds(holds))
}

// refuseSettling refuses to settle a privacy request that a legal hold keeps open. It must be called in the transaction that would settle it.
func refuseSettling(tx *store.Tx, r lead.PrivacyRequest) error {
	held, err := tx.LegalHolds().Persons()
	if err != nil {
		return err
	}
	holds := r.KeptOpenBy(held)
	if len(holds) == 0 {
		return nil
	}
	return entered.Refuse("this privacy request stays open: %s is under a legal hold, and nothing of it may be deleted: %s. "+
		"Suppress the number, and tell the person by %s that their data is kept, and why. When the matter is over, remove the hold, do what was asked for, and settle the request then",
		holds[0].LeadID, describeHolds(holds), r.DueAt().Format(time.DateOnly))
}

// describeHolds names holds, and since when they are in force. Why is left out: an error must not repeat what somebody typed.
func describeHolds(holds []lead.LegalHold) string {
	list := make([]string, len(holds))
	for i, h := range holds {
		list[i] = h.ID + ", since " + h.CreatedAt.Format(time.DateOnly)
	}
	return strings.Join(list, "; ")
}
