package forward

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// Counter is where buyers give leads back. What is given back is noted for the operator, who settles it with the buyer:
// the lead keeps its status, and nobody else is asked about it.
type Counter struct {
	Secrets func(ctx context.Context, offer string) ([]string, error) // of the buyer that an offer went to; none where there is no such offer
	Turn    func(ctx context.Context, do func(ReturnPage) error) error
	Window  time.Duration // how long a message can be sent again with the signature it has
	Now     func() time.Time
	Log     *slog.Logger
}

// ReturnPage is one transaction at the counter.
type ReturnPage interface {
	Offer(id string) (buyer.Offer, bool, error)
	LeadAt(seq int64) (lead.Lead, error)
	Handed(o buyer.Offer) (time.Time, error)
	Heard(r lead.Return, since time.Time) (another bool, err error)
	Hear(r lead.Return, at, since time.Time) error
	Returned(offer string) (time.Time, error)
	Return(o buyer.Offer, reason string, at time.Time) error
}

// mostID bounds what can be the id of an offer.
const mostID = 64

// Admit says whether a message about an offer comes from the buyer that the offer went to: verify checks its signature
// against secrets. An offer that does not exist is refused like a wrong signature.
func (c *Counter) Admit(ctx context.Context, offer string, verify func(secrets []string) error) error {
	if !strings.HasPrefix(offer, "offer_") || len(offer) > mostID {
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
func (c *Counter) Take(ctx context.Context, r lead.Return) (at time.Time, err error) {
	var x *news
	err = c.Turn(ctx, func(p ReturnPage) error {
		now := c.Now().UTC().Truncate(time.Microsecond)
		another, err := p.Heard(r, now.Add(-c.Window))
		if err != nil {
			return err
		}
		if another {
			return &lead.Error{Kind: lead.KeyReused}
		}
		if at, x, err = note(p, r, now); err != nil {
			return err
		}
		return p.Hear(r, now, now.Add(-c.Window))
	})
	if err == nil && x != nil {
		c.Log.Warn("a buyer gave a lead back: leads show tells why", "lead", x.lead, "offer", r.Offer, "buyer", x.buyer)
	}
	return at, err
}

// news is what the operator is told of a return: which lead, and who gave it back.
type news struct{ lead, buyer string }

// note writes a return down, and says what is new, if anything is.
func note(p ReturnPage, r lead.Return, now time.Time) (at time.Time, x *news, err error) {
	if at, err = p.Returned(r.Offer); err != nil || !at.IsZero() {
		return at, nil, err
	}
	o, _, err := p.Offer(r.Offer)
	if err != nil {
		return at, nil, err
	}
	handed, err := p.Handed(o)
	switch {
	case err != nil:
		return at, nil, err
	case o.State != buyer.Delivered || now.Sub(handed) > lead.ReturnWindow:
		return at, nil, &lead.Error{Kind: lead.Refused}
	}
	l, err := p.LeadAt(o.Lead)
	if err != nil {
		return at, nil, err
	}
	if l.Erased() {
		r.Reason = "" // it may name the person
	}
	return now, &news{l.ID, o.Buyer}, p.Return(o, r.Reason, now)
}
