package main

import (
	"context"
	"errors"
	"fmt"

	"foyer/internal/buyer"
	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/wire"
)

type buyersPause struct {
	oneBuyer
	Why string `placeholder:"TEXT" help:"Why. It is shown in the list. Default: the earlier reason stays."`
}

// Run pauses a buyer.
func (c *buyersPause) Run(s env) error {
	return c.at(s, config.Network{}, func(d *operator.Operator) error {
		b, err := d.Pause(s.ctx, c.ID, c.Why)
		if err != nil {
			return err
		}
		return c.card(s, d, b.ID, fmt.Sprintf("%s (%s) is paused: %s. Contacts it has already accepted are still delivered.", b.ID, b.Terms.Name, b.Why))
	})
}

type buyersResume struct {
	oneBuyer
}

// Run resumes a buyer.
func (c *buyersResume) Run(s env) error {
	return c.at(s, config.Network{}, func(d *operator.Operator) error {
		b, err := d.Resume(s.ctx, c.ID)
		if err != nil {
			return err
		}
		return c.card(s, d, b.ID, fmt.Sprintf("%s (%s) is active. Held leads it covers are offered to it%s.", b.ID, b.Terms.Name, heldNote(b.Terms)))
	})
}

// heldNote says which held leads a buyer gets, where it does not get them all.
func heldNote(t buyer.Terms) string {
	if t.HeldSince.IsZero() {
		return ""
	}
	return ", if received since " + clock(t.HeldSince)
}

type buyersRotate struct {
	oneBuyer
	ownSecret
	End bool `xor:"secret" help:"End the rotation: drop the old secret, because the buyer uses the new one."`
}

// AfterApply stops before anything is opened where the secret is wrong.
func (c *buyersRotate) AfterApply() error {
	return c.check()
}

// Run begins or ends a rotation.
func (c *buyersRotate) Run(s env) error {
	return c.at(s, config.Network{}, func(d *operator.Operator) error {
		if c.End {
			b, err := d.EndRotation(s.ctx, c.ID)
			if err != nil {
				return err
			}
			return c.card(s, d, b.ID, fmt.Sprintf("%s (%s): only the new secret is used from now on.", b.ID, b.Terms.Name))
		}
		b, secret, waited := d.Rotate(s.ctx, c.ID, c.Secret)
		if secret == "" {
			return waited
		}
		s.ctx = context.WithoutCancel(s.ctx) // the secret is in use, and told only now
		sentence := fmt.Sprintf("%s (%s): messages carry both signatures until you end the rotation: foyer buyers rotate-secret %s --end", b.ID, b.Terms.Name, b.ID)
		err := c.card(s, d, b.ID, sentence+c.note(secret, "try it: foyer buyers test "+b.ID), c.member(secret))
		if waited != nil {
			waited = fmt.Errorf("messages that only the old secret signed may still be under way: %w", waited)
		}
		return errors.Join(err, waited)
	})
}

type buyersRemove struct {
	oneBuyer
	Force bool `help:"Do not ask, and remove it even while offers are open or contacts are being delivered."`
}

// Run removes a buyer.
func (c *buyersRemove) Run(s env) error {
	return c.at(s, config.Network{}, func(d *operator.Operator) error {
		force, err := c.sure(s, d)
		if err != nil {
			return err
		}
		b, lost, err := d.Remove(s.ctx, c.ID, force)
		switch {
		case err != nil:
			return err
		case c.JSON:
			_, err = s.stdout.Write(wire.MarshalIndent(wire.Object{{"id", b.ID}, {"removed", true}, {"deliveries_lost", lost}}))
			return err
		}
		fmt.Fprintf(s.stdout, "%s (%s) is removed.\n", b.ID, b.Terms.Name)
		if lost > 0 {
			fmt.Fprintf(s.stdout, "Contacts that were being delivered to it: %d. Those leads end in error if it may have the contact: find out whether it does, then run foyer leads release.\n", lost)
		}
		return nil
	})
}

// sure asks on a terminal whether a buyer is to be removed, and names what is under way. Elsewhere, where something is,
// only --force will do. Whoever has to wait for it is told so.
func (c *buyersRemove) sure(s env, d *operator.Operator) (force bool, err error) {
	b, u, err := d.UnderWay(s.ctx, c.ID)
	switch {
	case err != nil:
		return false, err
	case c.Force:
		if !u.Nothing() {
			tellUnderWay(s, b, u)
			waitNote(s, b)
		}
		return true, nil
	case !isTerminal(s.stdin) && !u.Nothing():
		return false, fmt.Errorf("%s (%s): %s. Pause it and wait until they are done, or remove it with --force", b.ID, b.Terms.Name, u)
	case !isTerminal(s.stdin):
		return false, nil
	}
	tellUnderWay(s, b, u)
	yes, err := s.agrees("Remove it?")
	if err == nil && !yes {
		err = errors.New("it was not removed")
	}
	if err == nil && !u.Nothing() {
		waitNote(s, b)
	}
	return yes, err
}

func tellUnderWay(s env, b buyer.Buyer, u operator.UnderWay) {
	fmt.Fprintf(s.stderr, "Under way to %s (%s): %s.\n", b.ID, shown(b.Terms.Name), u)
}

// waitNote tells why the command does not end at once.
func waitNote(s env, b buyer.Buyer) {
	fmt.Fprintf(s.stderr, "Waiting for what is under way to %s (at most %.0f s)…\n", shown(b.Terms.Name), buyer.Lease.Seconds())
}
