package main

import (
	"fmt"

	"foyer/internal/config"
	"foyer/internal/desk"
	"foyer/internal/wire"
)

type buyersPause struct {
	oneBuyer
	Why string `placeholder:"TEXT" help:"Why, for whoever looks at the list."`
}

// Run pauses a buyer.
func (c *buyersPause) Run(s stage) error {
	return atDesk(s, c.Data, config.Network{}, func(d *desk.Desk) error {
		b, err := d.Pause(s.ctx, c.ID, c.Why)
		if err != nil {
			return err
		}
		return c.card(s, d, b.ID, fmt.Sprintf("%s (%s) is paused: %s. Contacts that it accepted are still sent.", b.ID, b.Terms.Name, b.Why))
	})
}

type buyersResume struct {
	oneBuyer
}

// Run resumes a buyer.
func (c *buyersResume) Run(s stage) error {
	return atDesk(s, c.Data, config.Network{}, func(d *desk.Desk) error {
		b, err := d.Resume(s.ctx, c.ID)
		if err != nil {
			return err
		}
		return c.card(s, d, b.ID, fmt.Sprintf("%s (%s) is active: held leads that it covers are offered to it.", b.ID, b.Terms.Name))
	})
}

type buyersRotate struct {
	oneBuyer
	Secret string `xor:"how" placeholder:"SECRET" help:"A secret of the buyer's own, whsec_ and base64. Default: a new one."`
	End    bool   `xor:"how" help:"Drop the old secret: the buyer knows the new one."`
}

// AfterApply stops before anything is opened where the secret is wrong.
func (c *buyersRotate) AfterApply() error { return checkSecret(c.Secret) }

// Run begins or ends a rotation.
func (c *buyersRotate) Run(s stage) error {
	return atDesk(s, c.Data, config.Network{}, func(d *desk.Desk) error {
		if c.End {
			b, err := d.EndRotation(s.ctx, c.ID)
			if err != nil {
				return err
			}
			return c.card(s, d, b.ID, fmt.Sprintf("%s (%s): only the new secret signs.", b.ID, b.Terms.Name))
		}
		b, secret, err := d.Rotate(s.ctx, c.ID, c.Secret)
		if err != nil {
			return err
		}
		sentence := fmt.Sprintf("%s (%s): both secrets sign until you end it with: foyer buyers rotate-secret %s --end", b.ID, b.Terms.Name, b.ID)
		return c.card(s, d, b.ID, sentence+secretNote(b.ID, secret), wire.Member{"secret", secret})
	})
}

type buyersRemove struct {
	oneBuyer
	Force bool `help:"Also while contacts are on their way to it: those leads end in error."`
}

// Run removes a buyer.
func (c *buyersRemove) Run(s stage) error {
	return atDesk(s, c.Data, config.Network{}, func(d *desk.Desk) error {
		b, lost, err := d.Remove(s.ctx, c.ID, c.Force)
		switch {
		case err != nil:
			return err
		case c.JSON:
			_, err = s.stdout.Write(wire.MarshalIndent(wire.Object{{"id", b.ID}, {"removed", true}, {"deliveries_lost", lost}}))
			return err
		}
		fmt.Fprintf(s.stdout, "%s (%s) is removed.\n", b.ID, b.Terms.Name)
		if lost > 0 {
			fmt.Fprintf(s.stdout, "Contacts that were on their way to it: %d. Those leads end in error: find out whether it has them, then foyer leads release.\n", lost)
		}
		return nil
	})
}
