package main

import (
	"errors"
	"fmt"

	"foyer/internal/app"
	"foyer/internal/buyer"
	"foyer/internal/operator"
)

// Run adds a buyer. It creates the database if there is none: buyers are best added before the first lead arrives, and
// adding a buyer in the wrong folder loses nothing, because the command prints that it created a database.
func (c *buyersAdd) Run(e env) error {
	op, made, err := app.NewOperator(e.ctx, c.Data, c.AllowPrivate, e.by)
	if err != nil {
		return err
	}
	if made {
		fmt.Fprintf(e.stderr, "foyer: there was no database at %s: a new one was made\n", c.Database)
	}
	printKeysMade(e, op.KeysMade)
	return errors.Join(withFlagNames(c.add(e, op.Operator)), op.Close())
}

func (c *buyersAdd) add(e env, op *operator.Operator) error {
	b, secret, err := op.Add(e.ctx, e.by, c.newBuyer())
	if err != nil {
		return err
	}
	state, next := stateWord(b.State), "try it: foyer buyers test "+b.ID
	switch b.State {
	case buyer.Testing:
		state += ": no leads are offered to it yet"
		next += "\nWhen it is ready, start it: foyer buyers start " + b.ID
	case buyer.Active:
		state += ": it is live, and leads are offered to it now, held ones included"
		next = "" // the buyer is live: too late for a test
	}
	sentence := fmt.Sprintf("%s (%s) is %s. Services: %s. Area: %s.", b.ID, b.Terms.Name, state, serviceList(b.Terms.Services), operator.Area(b.Terms.Area))
	return c.printChanged(e, op, b.ID, sentence+c.nextSteps(secret, next), c.jsonMember(secret))
}

// stateWord returns a buyer's state in words.
func stateWord(s buyer.State) string {
	if s == buyer.Testing {
		return "in test"
	}
	return string(s)
}

// Run changes a buyer's terms and prints the result.
func (c *buyersEdit) Run(e env) error {
	return c.withBuyer(e, c.Network, func(op *operator.Operator) error {
		if _, err := op.Edit(e.ctx, e.by, c.ID, operator.TermsInput(c.terms)); err != nil {
			return err
		}
		return c.show(e, op)
	})
}
