package main

import (
	"errors"
	"fmt"

	"foyer/internal/app"
	"foyer/internal/buyer"
	"foyer/internal/operator"
)

// Run adds a buyer. It makes the database where there is none: buyers are best known before the first lead comes, and a
// buyer in the wrong folder loses nothing that a line on the terminal does not bring back.
func (c *buyersAdd) Run(s env) error {
	operator, made, err := app.NewOperator(s.ctx, c.Data, c.AllowPrivate)
	if err != nil {
		return err
	}
	if made {
		fmt.Fprintf(s.stderr, "foyer: there was no database at %s: a new one was made\n", c.Database)
	}
	tellOfKeys(s, operator.KeysMade)
	return errors.Join(flagged(c.add(s, operator.Operator)), operator.Close())
}

func (c *buyersAdd) add(s env, d *operator.Operator) error {
	b, secret, err := d.Add(s.ctx, c.buyer())
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
		next = "" // there is no time to try it
	}
	sentence := fmt.Sprintf("%s (%s) is %s. Services: %s. Area: %s.", b.ID, b.Terms.Name, state, serviceList(b.Terms.Services), operator.Area(b.Terms.Area))
	return c.card(s, d, b.ID, sentence+c.note(secret, next), c.member(secret))
}

// stateWord is the state of a buyer as people say it.
func stateWord(s buyer.State) string {
	if s == buyer.Testing {
		return "in test"
	}
	return string(s)
}

// Run changes a buyer's terms and shows what they are now.
func (c *buyersEdit) Run(s env) error {
	return c.at(s, c.Network, func(d *operator.Operator) error {
		if _, err := d.Edit(s.ctx, c.ID, operator.TermsInput(c.terms)); err != nil {
			return err
		}
		return c.show(s, d)
	})
}
