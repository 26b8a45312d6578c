package operator

import (
	"context"
	"fmt"
	"slices"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/store"
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
		return op.record(tx, by, audit.LeadClose, l.ID, nil)
	})
	return c, err
}

// ErasedReason begins the reason in the history of an erased lead.
const ErasedReason = "personal details erased"

// Erase deletes the personal data of a lead and returns the lead's own id. The lead itself stays, because it was accepted. If it
// might still be forwarded, Erase takes it off the market.
func (op *Operator) Erase(ctx context.Context, by audit.Actor, id string) (own string, err error) {
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		seq, l, err := findLead(tx, id)
		if err != nil {
			return err
		}
		own = l.ID
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
		if err := tx.Erase(seq, l.Evidence.Anonymized(), op.fingerprint(l)); err != nil {
			return err
		}
		return op.record(tx, by, audit.LeadErase, l.ID, nil)
	})
	return own, err
}

// Saw reports whether the buyer of an offer has seen the contact, judged by every attempt to send anything about the lead.
func Saw(o buyer.Offer, attempts []buyer.Attempt) buyer.Seen {
	return o.Saw(slices.DeleteFunc(slices.Clone(attempts), func(a buyer.Attempt) bool { return a.Kind != forward.LeadDelivered }))
}
