package forward

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// ReturnDesk is where buyers give leads back. What is given back is noted for the operator, who settles it with the buyer:
// the lead keeps its status, and nobody else is asked about it.
type ReturnDesk struct {
	Secrets func(ctx context.Context, offer string) ([]string, error) // of the buyer that an offer went to; none where there is no such offer
	Update  func(ctx context.Context, do func(ReturnTx) error) error
	Window  time.Duration // how long a message can be sent again with the signature it has
	Now     func() time.Time
	Log     *slog.Logger
}

// ReturnTx is one transaction at the counter.
type ReturnTx interface {
	Offer(id string) (buyer.Offer, bool, error)
	LeadBySeq(seq int64) (lead.Lead, error)
	LastAnsweredAt(o buyer.Offer) (time.Time, error)
	MessageSeen(r lead.Return, since time.Time) (another bool, err error)
	RecordMessage(r lead.Return, at, since time.Time) error
	Returned(offer string) (time.Time, error)
	Return(o buyer.Offer, reason string, at time.Time) error
}

// maxMessageID bounds what can be the id of an offer.
const maxMessageID = 64

// Admit says whether a message about an offer comes from the buyer that the offer went to: verify checks its signature
// against secrets. An offer that does not exist is refused like a wrong signature.
func (c *ReturnDesk) Admit(ctx context.Context, offer string, verify func(secrets []string) error) error {
	if !strings.HasPrefix(offer, "offer_") || len(offer) > maxMessageID {
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

// Take notes that a lead comes back, and says when it did: at its first return, however often it is told. The id of the
// message is remembered with it, for as long as its signature is good: with another body it is refused.
func (c *ReturnDesk) Take(ctx context.Context, r lead.Return) (at time.Time, err error) {
	var x *returnNotice
	err = c.Update(ctx, func(p ReturnTx) error {
		now := c.Now().UTC().Truncate(time.Microsecond)
		another, err := p.MessageSeen(r, now.Add(-c.Window))
		if err != nil {
			return err
		}
		if another {
			return &lead.Error{Kind: lead.KeyReused}
		}
		if at, x, err = note(p, r, now); err != nil {
			return err
		}
		return p.RecordMessage(r, now, now.Add(-c.Window))
	})
	if err == nil && x != nil {
		c.Log.Warn("a buyer gave a lead back: leads show tells why", "lead", x.lead, "offer", r.Offer, "buyer", x.buyer)
	}
	return at, err
}

// returnNotice is what the operator is told of a return: which lead, and who gave it back.
type returnNotice struct{ lead, buyer string }

// note writes a return down, and says what is new, if anything is.
func note(p ReturnTx, r lead.Return, now time.Time) (at time.Time, x *returnNotice, err error) {
	if at, err = p.Returned(r.Offer); err != nil || !at.IsZero() {
		return at, nil, err
	}
	o, _, err := p.Offer(r.Offer)
	if err != nil {
		return at, nil, err
	}
	handed, err := p.LastAnsweredAt(o)
	switch {
	case err != nil:
		return at, nil, err
	case o.State != buyer.OfferDelivered || now.Sub(handed) > lead.ReturnWindow:
		return at, nil, &lead.Error{Kind: lead.Refused}
	}
	l, err := p.LeadBySeq(o.Lead)
	if err != nil {
		return at, nil, err
	}
	if l.Erased() {
		r.Reason = "" // it may name the person
	}
	return now, &returnNotice{l.ID, o.Buyer}, p.Return(o, r.Reason, now)
}
