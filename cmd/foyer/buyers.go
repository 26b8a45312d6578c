package main

import (
	"errors"
	"fmt"
	"strings"

	"foyer/internal/app"
	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/wire"
)

type buyers struct {
	Add    buyersAdd    `cmd:"" help:"Add a buyer, in test. Its secret is printed only once."`
	Test   buyersTry    `cmd:"" help:"Send a buyer a signed test offer and show how its answer is understood."`
	Start  buyersStart  `cmd:"" help:"Make a buyer that was tested active."`
	List   buyersList   `cmd:"" help:"List the buyers in the order in which they are asked."`
	Show   buyersShow   `cmd:"" help:"Show everything about a buyer except its secrets."`
	Edit   buyersEdit   `cmd:"" help:"Change a buyer's terms. What you leave out stays as it is."`
	Pause  buyersPause  `cmd:"" help:"Stop offering leads to a buyer."`
	Resume buyersResume `cmd:"" help:"Offer leads to a paused buyer again and clear its failures."`
	Rotate buyersRotate `cmd:"" name:"rotate-secret" help:"Give a buyer a new secret. Messages carry both signatures until --end."`
	Remove buyersRemove `cmd:"" help:"Remove a buyer. The history of its leads keeps its name."`
	Import buyersImport `cmd:"" help:"Import ZIP codes from a CSV file into a buyer's area."`
}

// operated is what every command of an operator has.
type operated struct {
	config.Data
	JSON bool `help:"Print JSON."`
}

// oneBuyer is what every command about one buyer has.
type oneBuyer struct {
	operated
	ID string `arg:"" name:"buyer" help:"The buyer's name or id."`
}

// at opens the desk for a command about one buyer, and finds out which one is meant.
func (c *oneBuyer) at(s env, n config.Network, do func(*operator.Operator) error) error {
	return atDesk(s, c.Data, n, func(d *operator.Operator) (err error) {
		if c.ID, err = d.Find(s.ctx, c.ID); err != nil {
			return err
		}
		return do(d)
	})
}

// atDesk opens the desk for a command on a database that is there.
func atDesk(s env, d config.Data, n config.Network, do func(*operator.Operator) error) error {
	operator, err := app.OpenOperator(s.ctx, d, n.AllowPrivate)
	if err != nil {
		return err
	}
	tellOfKeys(s, operator.KeysMade)
	return errors.Join(flagged(do(operator.Operator)), operator.Close())
}

// flagged names what is wrong as it is typed: on one line, or on a line each.
func flagged(err error) error {
	var problems operator.Problems
	if !errors.As(err, &problems) {
		return err
	}
	lines := make([]string, len(problems))
	for i, p := range problems {
		if lines[i] = p.Error(); p.Term != "" {
			lines[i] = "--" + lines[i]
		}
	}
	if len(lines) == 1 {
		return errors.New(lines[0])
	}
	return fmt.Errorf("%d problems:\n  %s", len(lines), strings.Join(lines, "\n  "))
}

// card shows a buyer after a change: a sentence for people, the whole buyer for programs.
func (c operated) card(s env, d *operator.Operator, id, sentence string, more ...wire.Member) error {
	if !c.JSON {
		_, err := fmt.Fprintln(s.stdout, sentence)
		return err
	}
	card, err := d.Show(s.ctx, id)
	if err != nil {
		return err
	}
	_, err = s.stdout.Write(wire.MarshalIndent(cardObject(card, more...)))
	return err
}
