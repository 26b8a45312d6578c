package operator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"foyer/internal/buyer"
)

// New is a buyer that is to be added.
type New struct {
	Terms  TermsInput
	Secret string // the buyer's own, or "" for one that is made here
	Live   bool   // it is asked at once, and gets what is held
	Paused bool
}

// Check tells everything that is wrong with a new buyer.
func (n New) Check(checkURL, checkSecret func(string) error) (buyer.Terms, error) {
	terms, err := n.Terms.Begin(checkURL)
	var problems Problems
	if err != nil && !errors.As(err, &problems) {
		return terms, err
	}
	if n.Secret != "" {
		if err := checkSecret(n.Secret); err != nil {
			problems.add(&FieldError{"secret", err.Error()})
		}
	}
	return terms, problems.or()
}

// Add adds a buyer, in test unless it is to be live or paused. Its secret is told this once. A name that another buyer has is
// refused: commands go by names.
func (d *Operator) Add(ctx context.Context, n New) (b buyer.Buyer, secret string, err error) {
	terms, err := n.Check(d.CheckURL, d.CheckSecret)
	if err != nil {
		return b, "", err
	}
	if err := d.freeName(ctx, terms.Name); err != nil {
		return b, "", err
	}
	if secret = n.Secret; secret == "" {
		secret = d.NewSecret()
	}
	b = buyer.Buyer{ID: d.NewID("buyer_"), Terms: terms, Secrets: []string{secret}, State: buyer.Testing}
	switch {
	case n.Paused:
		b.State, b.Why = buyer.Paused, byOperator
	case n.Live:
		b.State = buyer.Active
	}
	err = d.Store.Update(ctx, func(p Tx) error { return d.write(p, &b, keep) })
	return b, secret, err
}

func (d *Operator) freeName(ctx context.Context, name string) error {
	buyers, _, err := d.Store.Buyers(ctx)
	for _, b := range buyers {
		if strings.EqualFold(b.Terms.Name, name) {
			return Problems{{"name", fmt.Sprintf("%q is the name of %s already: write another, or change that buyer with foyer buyers edit", b.Terms.Name, b.ID)}}
		}
	}
	return err
}

// Edit changes the terms that a draft mentions.
func (d *Operator) Edit(ctx context.Context, id string, draft TermsInput) (buyer.Buyer, error) {
	return d.change(ctx, id, func(_ Tx, b *buyer.Buyer, s *buyer.Health) (err error) {
		before := b.Terms.URL
		if b.Terms, err = draft.Change(b.Terms, d.CheckURL); b.Terms.URL != before {
			s.Failures, s.Opened, s.OpenUntil = 0, 0, time.Time{} // nobody has failed to answer there
		}
		return err
	})
}

const byOperator = "by the operator"

// Pause keeps leads away from a buyer. What only waits for its turn there looks for somebody else. Without a reason, the one
// for which it is not asked already stays: it may be the answer by which its address refused us.
func (d *Operator) Pause(ctx context.Context, id, why string) (buyer.Buyer, error) {
	why, err := words(why)
	if err != nil {
		return buyer.Buyer{}, Problems{{"why", err.Error()}}
	}
	return d.change(ctx, id, func(p Tx, b *buyer.Buyer, _ *buyer.Health) error {
		if b.State == buyer.Off {
			return errors.New("it is off already: its address said that it is gone, and nothing is sent there")
		}
		if b.State == buyer.Testing {
			return errors.New("the buyer is in test: it gets no leads before it is started")
		}
		b.State, b.Why = buyer.Paused, cmp.Or(why, b.Why, byOperator)
		return p.Requeue(id)
	})
}

// Resume lets a buyer be asked again, and forgets that it did not answer. One in test is started instead.
func (d *Operator) Resume(ctx context.Context, id string) (buyer.Buyer, error) {
	return d.change(ctx, id, func(_ Tx, b *buyer.Buyer, s *buyer.Health) error {
		if b.State == buyer.Testing {
			return fmt.Errorf("the buyer is in test: foyer buyers start %s makes it active, and asks about held leads", id)
		}
		b.State, b.Why = buyer.Active, ""
		s.Failures, s.Opened, s.OpenUntil, s.QuietUntil = 0, 0, time.Time{}, time.Time{}
		return nil
	})
}

// UnderWay is what is being done with a buyer at this moment.
type UnderWay struct {
	Offers   int      // that wait for its answer
	Contacts int      // that are being delivered to it
	Leads    []string // some of them
}

// someLeads bounds how many leads are named.
const someLeads = 10

// Nothing says that nothing is.
func (u UnderWay) Nothing() bool { return u.Offers+u.Contacts == 0 }

func (u UnderWay) String() string {
	text := fmt.Sprintf("offers open: %d, contacts being delivered: %d", u.Offers, u.Contacts)
	if len(u.Leads) > 0 {
		text += "; leads: " + strings.Join(u.Leads, ", ")
	}
	if more := u.Offers + u.Contacts - len(u.Leads); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// UnderWay is a buyer, and what is under way to it.
func (d *Operator) UnderWay(ctx context.Context, id string) (b buyer.Buyer, u UnderWay, err error) {
	err = d.view(ctx, func(p Tx) (err error) {
		if b, err = present(p, id); err == nil {
			u, err = underWayTo(p, id)
		}
		return err
	})
	return b, u, err
}

func underWayTo(p Tx, id string) (u UnderWay, err error) {
	if u.Offers, err = p.Offering(id); err != nil {
		return u, err
	}
	if u.Contacts, err = p.Delivering(id); err != nil || u.Nothing() {
		return u, err
	}
	u.Leads, err = p.LeadsUnderWay(id, someLeads)
	return u, err
}

// Remove takes a buyer away; its name stays in the history. Where something is under way to it, only by force: leads whose
// contact it may have end in error. It says how many contacts were being delivered.
func (d *Operator) Remove(ctx context.Context, id string, force bool) (b buyer.Buyer, onTheirWay int, err error) {
	err = d.Store.Update(ctx, func(p Tx) error {
		var err error
		if b, err = present(p, id); err != nil {
			return err
		}
		u, err := underWayTo(p, id)
		if err != nil {
			return err
		}
		if onTheirWay = u.Contacts; !u.Nothing() && !force {
			return fmt.Errorf("something is under way to %s (%s), and a lead whose contact it may have would end in error: pause it and wait, or force it", id, u)
		}
		if err := p.Requeue(id); err != nil {
			return err
		}
		// What waits for another attempt ends now, not when that is due.
		if err := p.MakeDueNow(id, d.now()); err != nil {
			return err
		}
		return p.RemoveBuyer(id, d.now())
	})
	if err == nil {
		err = d.waitUntilSent(ctx, id)
	}
	return b, onTheirWay, err
}

// edit is something done to a buyer.
type edit func(Tx, *buyer.Buyer, *buyer.Health) error

func keep(Tx, *buyer.Buyer, *buyer.Health) error { return nil }

// change makes a change to a buyer that is there.
func (d *Operator) change(ctx context.Context, id string, do edit) (b buyer.Buyer, err error) {
	err = d.Store.Update(ctx, func(p Tx) error {
		var err error
		if b, err = present(p, id); err != nil {
			return err
		}
		return d.write(p, &b, do)
	})
	return b, err
}

// write writes a buyer down, and has everything that is held looked at again: the change may be what it waited for.
func (d *Operator) write(p Tx, b *buyer.Buyer, do edit) error {
	s, err := p.Health(b.ID)
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
	return p.PutHealth(b.ID, s)
}
