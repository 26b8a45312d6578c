package forward

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// ReturnService handles leads that buyers return. It records the return for the operator, who settles it with the buyer: the
// lead keeps its status and is not offered to another buyer.
type ReturnService struct {
	Secrets func(ctx context.Context, offer string) ([]string, error) // of the buyer that got the offer; none if there is no such offer
	Update  func(ctx context.Context, do func(*store.Tx) error) error
	Window  time.Duration // how long a signed message is accepted
	Now     func() time.Time
	Log     *slog.Logger
}

// maxMessageID bounds the length of an offer id.
const maxMessageID = 64

// Admit checks that a message about an offer comes from the buyer that got the offer: verify checks its signature against
// the secrets. An unknown offer gets the same error as a wrong signature.
func (c *ReturnService) Admit(ctx context.Context, offer string, verify func(secrets []string) error) error {
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

// Take records that a lead was returned, and says when: at the first return, however often it is reported. It also records
// the id of the message for as long as its signature is valid: the same id with another body is an error.
func (c *ReturnService) Take(ctx context.Context, r lead.Return) (at time.Time, err error) {
	var notice []any
	err = c.Update(ctx, func(tx *store.Tx) error {
		now := c.Now().UTC().Truncate(time.Microsecond)
		otherBody, err := tx.MessageSeen(r, now.Add(-c.Window))
		if err != nil {
			return err
		}
		if otherBody {
			return &lead.Error{Kind: lead.KeyReused}
		}
		if at, notice, err = recordReturn(tx, r, now); err != nil {
			return err
		}
		return tx.RecordMessage(r, now)
	})
	if err == nil && notice != nil {
		c.Log.Warn("a buyer returned a lead; foyer leads show tells why", notice...)
	}
	return at, err
}

// recordReturn records a return. The notice is for the log, and nil if the return is not new.
func recordReturn(tx *store.Tx, r lead.Return, now time.Time) (at time.Time, notice []any, err error) {
	if at, err = tx.Returned(r.Offer); err != nil || !at.IsZero() {
		return at, nil, err
	}
	o, _, err := tx.Offer(r.Offer)
	if err != nil {
		return at, nil, err
	}
	answeredAt, err := tx.LastAnsweredAt(o)
	switch {
	case err != nil:
		return at, nil, err
	case o.State != buyer.OfferDelivered || now.Sub(answeredAt) > lead.ReturnWindow:
		return at, nil, &lead.Error{Kind: lead.Refused}
	}
	l, err := tx.LeadBySeq(o.Lead)
	if err != nil {
		return at, nil, err
	}
	if l.Erased() {
		r.Reason = "" // it may name the person
	}
	if err := tx.Return(o, r.Reason, now); err != nil {
		return at, nil, err
	}
	entry := audit.Entry{At: now, Actor: audit.Buyer(o.Buyer), Action: audit.LeadReturn, Subject: l.ID, Detail: audit.Detail{"offer": o.ID}}
	return now, []any{"lead", l.ID, "offer", o.ID, "buyer", o.Buyer}, tx.AddAudit(entry)
}
