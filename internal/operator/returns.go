package operator

import (
	"context"
	"strings"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// Returns lists leads that buyers gave back.
func (op *Operator) Returns(ctx context.Context, f store.ReturnFilter) (list []store.ListedReturn, err error) {
	err = op.Store.View(ctx, func(tx *store.Tx) (err error) { list, err = tx.Returns().List(f); return err })
	return list, err
}

// ReturnInput is a return that the operator enters for a buyer.
type ReturnInput struct {
	Offer   string
	Code    lead.ReturnCode
	Reason  string
	Approve bool // decide it at once
}

// AddReturn enters a return for a buyer, however long ago the lead was delivered. The buyer hears what became of it.
func (op *Operator) AddReturn(ctx context.Context, by audit.Actor, in ReturnInput) (r buyer.Return, err error) {
	if in.Reason, err = entered.PlainText(in.Reason); err != nil {
		return r, entered.Problem("reason", err.Error())
	}
	if in.Reason == "" {
		return r, entered.Problem("reason", "missing: say why the lead comes back")
	}
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		o, found, err := tx.Offer(in.Offer)
		switch {
		case err != nil:
			return err
		case !found:
			return &lead.Error{Kind: lead.NotFound, Message: "There is no offer with this id."}
		}
		at, err := tx.Returns().At(o.ID)
		switch {
		case err != nil:
			return err
		case !at.IsZero():
			return entered.Refuse("%s was returned already: the list of all returns shows what became of it", o.ID)
		case o.State != buyer.OfferDelivered:
			return entered.Refuse("%s is %s: only a lead that was delivered can be returned", o.ID, o.State)
		}
		if r, err = forward.AddReturn(tx, o, lead.Return{Offer: o.ID, Code: in.Code, Reason: in.Reason}, by, op.address, op.now()); err != nil || !in.Approve {
			return err
		}
		r, err = forward.DecideReturn(tx, r, buyer.ReturnApproved, by, op.address, "", op.now())
		return err
	})
	return r, err
}

// ApproveReturn approves a return, also one that was denied before: the buyer gets back what it paid, and its place under the caps.
func (op *Operator) ApproveReturn(ctx context.Context, by audit.Actor, offer, note string) (buyer.Return, error) {
	return op.decideReturn(ctx, by, offer, buyer.ReturnApproved, note)
}

// DenyReturn denies a return. The note tells the buyer why.
func (op *Operator) DenyReturn(ctx context.Context, by audit.Actor, offer, note string) (buyer.Return, error) {
	if strings.TrimSpace(note) == "" {
		return buyer.Return{}, entered.Problem("note", "missing: tell the buyer why")
	}
	return op.decideReturn(ctx, by, offer, buyer.ReturnDenied, note)
}

func (op *Operator) decideReturn(ctx context.Context, by audit.Actor, offer string, state buyer.ReturnState, note string) (r buyer.Return, err error) {
	if note, err = entered.PlainText(note); err != nil {
		return r, entered.Problem("note", err.Error())
	}
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		found := false
		if r, found, err = tx.Returns().Find(offer); err != nil {
			return err
		}
		switch {
		case !found:
			return &lead.Error{Kind: lead.NotFound, Message: "There is no return of an offer with this id."}
		case r.State == state:
			return entered.Refuse("the return of %s is %s already", offer, state)
		case r.State == buyer.ReturnApproved:
			return entered.Refuse("the return of %s was approved, and its price given back: put a mistake right with a correction of what %s owes", offer, r.Buyer)
		}
		r, err = forward.DecideReturn(tx, r, state, by, op.address, note, op.now())
		return err
	})
	return r, err
}
