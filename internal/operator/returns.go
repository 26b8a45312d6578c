package operator

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
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
	if in.Reason, err = plainText(in.Reason); err != nil {
		return r, Problems{{"reason", err.Error()}}
	}
	if in.Reason == "" {
		return r, Problems{{"reason", "missing: say why the lead comes back"}}
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
			return refuse("%s was returned already: the list of all returns shows what became of it", o.ID)
		case o.State != buyer.OfferDelivered:
			return refuse("%s is %s: only a lead that was delivered can be returned", o.ID, o.State)
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
		return buyer.Return{}, Problems{{"note", "missing: tell the buyer why"}}
	}
	return op.decideReturn(ctx, by, offer, buyer.ReturnDenied, note)
}

func (op *Operator) decideReturn(ctx context.Context, by audit.Actor, offer string, state buyer.ReturnState, note string) (r buyer.Return, err error) {
	if note, err = plainText(note); err != nil {
		return r, Problems{{"note", err.Error()}}
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
			return refuse("the return of %s is %s already", offer, state)
		case r.State == buyer.ReturnApproved:
			return refuse("the return of %s was approved, and its price given back: put a mistake right with a correction of what %s owes", offer, r.Buyer)
		}
		r, err = forward.DecideReturn(tx, r, state, by, op.address, note, op.now())
		return err
	})
	return r, err
}

// ReturnCode parses the code of a return.
func ReturnCode(word string) (lead.ReturnCode, error) {
	code := lead.ReturnCode(strings.ToLower(strings.ReplaceAll(strings.TrimSpace(word), "-", "_")))
	if !slices.Contains(lead.ReturnCodes, code) {
		return "", fmt.Errorf("%.40q is not a code of returns: write one of %s", word, join(lead.ReturnCodes))
	}
	return code, nil
}

// parseReturnCodes parses a list of codes, or none.
func parseReturnCodes(text string) (codes []lead.ReturnCode, err error) {
	if strings.TrimSpace(text) == "none" {
		return nil, nil
	}
	for word := range strings.FieldsFuncSeq(text, isSeparator) {
		code, err := ReturnCode(word)
		if err != nil {
			return nil, err
		}
		codes = append(codes, code)
	}
	if len(codes) == 0 {
		return nil, fmt.Errorf("%.40q names no code: write some of %s, separated by commas, or none", text, join(lead.ReturnCodes))
	}
	slices.Sort(codes)
	return slices.Compact(codes), nil
}

// maxReturnDays bounds how long after its delivery a lead can be returned.
const maxReturnDays = 90

func parseReturnDays(n int) (int, error) {
	if n < 1 || n > maxReturnDays {
		return 0, fmt.Errorf("%d is not possible: write a number of days from 1 to %d", n, maxReturnDays)
	}
	return n, nil
}

// decidedTwice returns a code that is both approved and denied without a look, or "".
func decidedTwice(t buyer.ReturnTerms) lead.ReturnCode {
	for _, code := range t.Approve {
		if slices.Contains(t.Deny, code) {
			return code
		}
	}
	return ""
}
