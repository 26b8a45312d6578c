package desk

import (
	"context"
	"fmt"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
)

// New is a buyer that is to be added.
type New struct {
	Draft  Draft
	Secret string // the buyer's own, or "" for one that is made here
	Paused bool
}

// Add adds a buyer. Its secret is told this once.
func (d *Desk) Add(ctx context.Context, n New) (b buyer.Buyer, secret string, err error) {
	terms, err := n.Draft.Begin(d.CheckURL)
	if err != nil {
		return b, "", err
	}
	if secret, err = d.secret(n.Secret); err != nil {
		return b, "", err
	}
	b = buyer.Buyer{ID: d.NewID("buyer_"), Terms: terms, Secrets: []string{secret}, State: buyer.Active}
	if n.Paused {
		b.State, b.Why = buyer.Paused, byOperator
	}
	err = d.Books.Turn(ctx, func(p Page) error { return d.write(p, &b, keep) })
	return b, secret, err
}

// Edit changes the terms that a draft mentions.
func (d *Desk) Edit(ctx context.Context, id string, draft Draft) (buyer.Buyer, error) {
	return d.change(ctx, id, func(_ Page, b *buyer.Buyer, s *buyer.Standing) (err error) {
		before := b.Terms.URL
		if b.Terms, err = draft.Change(b.Terms, d.CheckURL); b.Terms.URL != before {
			s.Failures, s.Trips, s.Shut = 0, 0, time.Time{} // nobody has failed to answer there
		}
		return err
	})
}

const byOperator = "by the operator"

// Pause keeps leads away from a buyer. What only waits for its turn there looks for somebody else.
func (d *Desk) Pause(ctx context.Context, id, why string) (buyer.Buyer, error) {
	why, err := words(why)
	if err != nil {
		return buyer.Buyer{}, &Wrong{"why", err.Error()}
	}
	if why == "" {
		why = byOperator
	}
	return d.change(ctx, id, func(p Page, b *buyer.Buyer, _ *buyer.Standing) error {
		b.State, b.Why = buyer.Paused, why
		return p.Disperse(id)
	})
}

// Resume lets a buyer be asked again, and forgets that it did not answer.
func (d *Desk) Resume(ctx context.Context, id string) (buyer.Buyer, error) {
	return d.change(ctx, id, func(_ Page, b *buyer.Buyer, s *buyer.Standing) error {
		b.State, b.Why = buyer.Active, ""
		s.Failures, s.Trips, s.Shut = 0, 0, time.Time{}
		return nil
	})
}

// Remove takes a buyer off the list. Where contacts are on their way to it, only by force: those that it may have end in error.
// It says how many there are.
func (d *Desk) Remove(ctx context.Context, id string, force bool) (b buyer.Buyer, onTheirWay int, err error) {
	err = d.Books.Turn(ctx, func(p Page) error {
		var err error
		if b, err = p.Buyer(id); err != nil {
			return err
		}
		if onTheirWay, err = p.Delivering(id); err != nil {
			return err
		}
		if onTheirWay > 0 && !force {
			return fmt.Errorf("contacts on their way to %s: %d; without the buyer those leads would end in error: pause it and wait, or force it", id, onTheirWay)
		}
		if err := p.Disperse(id); err != nil {
			return err
		}
		// Those leads end in error as soon as every process knows that the buyer is gone, not when their next attempt is due.
		if err := p.Hasten(id, d.now().Add(forward.KnownAfter)); err != nil {
			return err
		}
		return p.RemoveBuyer(id, d.now())
	})
	if err == nil {
		err = d.untilSent(ctx, id)
	}
	return b, onTheirWay, err
}

// edit is something done to a buyer.
type edit func(Page, *buyer.Buyer, *buyer.Standing) error

func keep(Page, *buyer.Buyer, *buyer.Standing) error { return nil }

// change makes a change to a buyer that is there.
func (d *Desk) change(ctx context.Context, id string, do edit) (b buyer.Buyer, err error) {
	err = d.Books.Turn(ctx, func(p Page) error {
		var err error
		if b, err = p.Buyer(id); err != nil {
			return err
		}
		return d.write(p, &b, do)
	})
	return b, err
}

// write writes a buyer down, and has everything that is held looked at again: the change may be what it waited for.
func (d *Desk) write(p Page, b *buyer.Buyer, do edit) error {
	s, err := p.Standing(b.ID)
	if err != nil {
		return err
	}
	if err := do(p, b, &s); err != nil {
		return err
	}
	if b.UpdatedAt = d.now(); b.CreatedAt.IsZero() {
		b.CreatedAt = b.UpdatedAt
	}
	if err := p.PutBuyer(*b); err != nil {
		return err
	}
	s.WakeAt = b.UpdatedAt
	return p.PutStanding(b.ID, s)
}
