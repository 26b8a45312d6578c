package buyers

import (
	"context"
	"errors"
	"fmt"

	"foyer/cmd/foyer/cli"
	"foyer/internal/buyer"
	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

type buyersPause struct {
	buyerFlags
	Why string `placeholder:"TEXT" help:"Why. It is shown in the list. Default: the earlier reason stays."`
}

// Run pauses a buyer.
func (c *buyersPause) Run(e cli.Env) error {
	return c.withBuyer(e, config.Network{}, func(op *operator.Operator) error {
		b, err := op.Pause(e.Ctx, e.By, c.ID, c.Why)
		if err != nil {
			return err
		}
		return printChanged(e, c.JSON, op, b.ID, fmt.Sprintf("%s (%s) is paused: %s. Contacts it has already accepted are still delivered.", b.ID, b.Terms.Name, b.Why))
	})
}

type buyersResume struct {
	buyerFlags
}

// Run resumes a buyer.
func (c *buyersResume) Run(e cli.Env) error {
	return c.withBuyer(e, config.Network{}, func(op *operator.Operator) error {
		b, err := op.Resume(e.Ctx, e.By, c.ID)
		if err != nil {
			return err
		}
		which := ""
		if since := b.Terms.HeldSince; !since.IsZero() {
			which = ", if received since " + terminal.Time(since)
		}
		return printChanged(e, c.JSON, op, b.ID, fmt.Sprintf("%s (%s) is active. Held leads it covers are offered to it%s.", b.ID, b.Terms.Name, which))
	})
}

type buyersRotate struct {
	buyerFlags
	secretFlags
	End bool `xor:"secret" help:"End the rotation: drop the old secret, because the buyer uses the new one."`
}

// AfterApply validates the secret before anything is opened.
func (c *buyersRotate) AfterApply() error {
	return c.check()
}

// Run begins or ends a rotation.
func (c *buyersRotate) Run(e cli.Env) error {
	return c.withBuyer(e, config.Network{}, func(op *operator.Operator) error {
		if c.End {
			b, err := op.EndRotation(e.Ctx, e.By, c.ID)
			if err != nil {
				return err
			}
			return printChanged(e, c.JSON, op, b.ID, fmt.Sprintf("%s (%s): only the new secret is used from now on.", b.ID, b.Terms.Name))
		}
		b, secret, waited := op.Rotate(e.Ctx, e.By, c.ID, c.Secret)
		if secret == "" {
			return waited
		}
		e.Ctx = context.WithoutCancel(e.Ctx) // the secret is in use and is printed only here
		sentence := fmt.Sprintf("%s (%s): messages carry both signatures until you end the rotation: foyer buyers rotate-secret %s --end", b.ID, b.Terms.Name, b.ID)
		err := printChanged(e, c.JSON, op, b.ID, sentence+c.nextSteps(secret, "try it: foyer buyers test "+b.ID), c.jsonMember(secret))
		if waited != nil {
			waited = fmt.Errorf("messages that only the old secret signed may still be under way: %w", waited)
		}
		return errors.Join(err, waited)
	})
}

type buyersRemove struct {
	buyerFlags
	Force bool `help:"Do not ask, and remove it even while offers are open or contacts are being delivered."`
}

// Run removes a buyer.
func (c *buyersRemove) Run(e cli.Env) error {
	return c.withBuyer(e, config.Network{}, func(op *operator.Operator) error {
		force, err := c.confirmRemoval(e, op)
		if err != nil {
			return err
		}
		account, err := op.Show(e.Ctx, c.ID)
		if err != nil {
			return err
		}
		b, lost, err := op.Remove(e.Ctx, e.By, c.ID, force)
		if err != nil {
			return err
		}
		text := fmt.Sprintf("%s (%s) is removed.", b.ID, b.Terms.Name)
		if lost > 0 {
			text += fmt.Sprintf("\nContacts that were being delivered to it: %d. Those leads end in error if it may have the contact: find out whether it does, then run foyer leads release.", lost)
		}
		if account.Owed != 0 {
			text += "\n" + owedText(account.Owed) + " Its account stays: foyer statements show, top-up and correct find it by its id, and foyer buyers owed lists it."
		}
		return e.Print(c.JSON, wire.Object{{"id", b.ID}, {"removed", true}, {"deliveries_lost", lost}, {"owed_cents", account.Owed}}, cli.Sentence("%s", text))
	})
}

// confirmRemoval asks on a terminal whether to remove a buyer, and lists what is in progress with it. Without a terminal,
// removing a buyer with something in progress requires --force. If the command has to wait for it, confirmRemoval says so.
func (c *buyersRemove) confirmRemoval(e cli.Env, op *operator.Operator) (force bool, err error) {
	b, u, err := op.InProgress(e.Ctx, c.ID)
	ask := !c.Force && terminal.Is(e.Stdin)
	switch {
	case err != nil:
		return false, err
	case !c.Force && !ask && !u.Nothing():
		return false, fmt.Errorf("%s (%s): %s. Pause it and wait until they are done, or remove it with --force", b.ID, b.Terms.Name, u)
	}
	if ask || !u.Nothing() {
		fmt.Fprintf(e.Stderr, "Under way to %s (%s): %s.\n", b.ID, terminal.Escape(b.Terms.Name), u)
	}
	if ask {
		confirmed, err := terminal.Confirm(e.Stdin, e.Stderr, "Remove it?")
		if err == nil && !confirmed {
			err = errors.New("it was not removed")
		}
		if err != nil {
			return false, err
		}
	}
	if !u.Nothing() {
		fmt.Fprintf(e.Stderr, "Waiting for what is under way to %s (at most %.0f s)…\n", terminal.Escape(b.Terms.Name), buyer.Lease.Seconds())
	}
	return c.Force || ask, nil
}
