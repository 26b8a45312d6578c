package forward

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// ReturnService handles leads that buyers return. What was agreed on for the code of the return decides it, or the operator does: the
// lead keeps its status and is not offered to another buyer.
type ReturnService struct {
	Secrets func(ctx context.Context, offer string) ([]string, error) // of the buyer that got the offer; none if there is no such offer
	Update  func(ctx context.Context, do func(*store.Tx) error) error
	MaxAge  time.Duration // how long a signed message is accepted
	Now     func() time.Time
	Log     *slog.Logger
}

// maxOfferID bounds the length of an offer id.
const maxOfferID = 64

// Admit checks that a message about an offer comes from the buyer that got the offer: verify checks its signature against
// the secrets. An unknown offer gets the same error as a wrong signature.
func (c *ReturnService) Admit(ctx context.Context, offer string, verify func(secrets []string) error) error {
	if !strings.HasPrefix(offer, "offer_") || len(offer) > maxOfferID {
		return &lead.Error{Kind: lead.Unauthorized}
	}
	secrets, err := c.Secrets(ctx, offer)
	if err != nil {
		return err
	}
	if len(secrets) == 0 || verify(secrets) != nil {
		return &lead.Error{Kind: lead.Unauthorized}
	}
	return nil
}

// Take records that a lead was returned, and says when: at the first return, however often it is reported. It also records
// the id of the message for as long as its signature is valid: the same id with another body is an error.
func (c *ReturnService) Take(ctx context.Context, r lead.Return) (at time.Time, err error) {
	var notice []any
	err = c.Update(ctx, func(tx *store.Tx) error {
		now := c.Now().UTC().Truncate(time.Microsecond)
		otherBody, err := tx.Returns().MessageSeen(r, now.Add(-c.MaxAge))
		if err != nil {
			return err
		}
		if otherBody {
			return &lead.Error{Kind: lead.KeyReused}
		}
		if at, notice, err = recordReturn(tx, r, now); err != nil {
			return err
		}
		return tx.Returns().RecordMessage(r, now)
	})
	if err == nil && notice != nil {
		c.Log.Warn("a buyer returned a lead; foyer returns list shows those that wait", notice...)
	}
	return at, err
}

// recordReturn records a return. The notice is for the log, and nil if the return is not new, or was decided at once.
func recordReturn(tx *store.Tx, r lead.Return, now time.Time) (at time.Time, notice []any, err error) {
	if at, err = tx.Returns().At(r.Offer); err != nil || !at.IsZero() {
		return at, nil, err
	}
	o, _, err := tx.Offer(r.Offer)
	switch {
	case err != nil:
		return at, nil, err
	case o.State != buyer.OfferDelivered:
		return at, nil, &lead.Error{Kind: lead.Refused}
	}
	b, err := tx.Buyer(o.Buyer)
	switch {
	case lead.KindOf(err) == lead.NotFound: // removed since Admit
		return at, nil, &lead.Error{Kind: lead.Unauthorized}
	case err != nil:
		return at, nil, err
	}
	answeredAt, err := tx.Returns().LastAnsweredAt(o)
	switch {
	case err != nil:
		return at, nil, err
	case now.Sub(answeredAt) > b.Terms.Returns.Window():
		return at, nil, &lead.Error{Kind: lead.Refused}
	}
	returned, err := AddReturn(tx, o, r, audit.Buyer(o.Buyer), netip.Addr{}, now)
	if err != nil {
		return at, nil, err
	}
	if state := b.Terms.Returns.Decide(r.Code); state != buyer.ReturnWaiting {
		_, err := DecideReturn(tx, returned, state, audit.System, netip.Addr{}, "", now)
		return now, nil, err
	}
	id, err := tx.IDOf(o.Lead)
	return now, []any{"lead", id, "offer", o.ID, "buyer", o.Buyer, "code", r.Code}, err
}

// AddReturn records that the lead of an offer, which was delivered, comes back. The return waits for a decision. The audit trail names
// the address of the client from which an operator enters it.
func AddReturn(tx *store.Tx, o buyer.Offer, r lead.Return, by audit.Actor, from netip.Addr, now time.Time) (buyer.Return, error) {
	l, err := tx.LeadBySeq(o.Lead)
	if err != nil {
		return buyer.Return{}, err
	}
	if l.Erased() {
		r.Reason = "" // it may name the person
	}
	if err := tx.Return(o, r.Reason, now); err != nil {
		return buyer.Return{}, err
	}
	returned := buyer.Return{Offer: o.ID, Buyer: o.Buyer, At: now, Code: r.Code, State: buyer.ReturnWaiting}
	if err := tx.Returns().Put(returned); err != nil {
		return returned, err
	}
	return returned, tx.AddAudit(audit.Entry{At: now, Actor: by, Action: audit.LeadReturn, Subject: l.ID, Detail: audit.Detail{"offer": o.ID, "code": r.Code}.From(from)})
}

// DecideReturn approves or denies a return, and has the buyer told. If it is approved, the price is given back, and the place under the
// caps is free: a held lead may take it. The lead itself stays forwarded: the buyer knows the person. No note is kept about an erased one.
func DecideReturn(tx *store.Tx, r buyer.Return, state buyer.ReturnState, by audit.Actor, from netip.Addr, note string, now time.Time) (buyer.Return, error) {
	o, found, err := tx.Offer(r.Offer)
	if err != nil || !found {
		return r, cmp.Or(err, fmt.Errorf("there is no offer %s, though its lead was returned", r.Offer))
	}
	l, err := tx.LeadBySeq(o.Lead)
	if err != nil {
		return r, err
	}
	if l.Erased() {
		note = "" // it may name the person
	}
	action := audit.ReturnDeny
	if state == buyer.ReturnApproved {
		action = audit.ReturnApprove
		if err := creditReturn(tx, l, o, r.Code, now); err != nil {
			return r, err
		}
	}
	r.State, r.DecidedAt, r.DecidedBy, r.Note, r.NotifyAt, r.NotifiedAt, r.Attempts = state, now, string(by), note, now, time.Time{}, 0
	if _, err := tx.Buyer(r.Buyer); lead.KindOf(err) == lead.NotFound {
		r.NotifyAt = time.Time{} // it was removed
	} else if err != nil {
		return r, err
	} else if state == buyer.ReturnApproved {
		if err := WakeBuyer(tx, r.Buyer, now); err != nil {
			return r, err
		}
	}
	if err := tx.Returns().Put(r); err != nil {
		return r, err
	}
	return r, tx.AddAudit(audit.Entry{At: now, Actor: by, Action: action, Subject: r.Offer, Detail: audit.Detail{"buyer": r.Buyer, "code": r.Code, "price_cents": o.Price}.From(from)})
}

// creditReturn gives the price of an offer back: a refund, as a credit in the ledger.
func creditReturn(tx *store.Tx, l lead.Lead, o buyer.Offer, code lead.ReturnCode, now time.Time) error {
	before := o.State
	o.State = buyer.OfferReturned
	if err := tx.PutOffer(o, before); err != nil {
		return err
	}
	entry, costs := o.Credit(l, now)
	if !costs {
		return nil
	}
	entry.Note = string(code)
	return tx.Ledger().Add(entry)
}

// WakeBuyer has the leads checked again that are held for a buyer: there may be room or money for one of them.
func WakeBuyer(tx *store.Tx, id string, now time.Time) error {
	h, err := tx.Health(id)
	if err != nil {
		return err
	}
	return tx.PutHealth(id, h.Wake(now))
}
