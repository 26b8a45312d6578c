package main

import (
	"errors"
	"fmt"

	"foyer/internal/app"
	"foyer/internal/config"
	"foyer/internal/desk"
	"foyer/internal/wire"
)

type buyers struct {
	Add    buyersAdd    `cmd:"" help:"Add a buyer. Its secret is printed this once."`
	List   buyersList   `cmd:"" help:"List the buyers, those that are asked first at the top."`
	Show   buyersShow   `cmd:"" help:"Show everything about one buyer but its secrets."`
	Edit   buyersEdit   `cmd:"" help:"Change the terms of a buyer: only what is given."`
	Pause  buyersPause  `cmd:"" help:"Keep leads away from a buyer."`
	Resume buyersResume `cmd:"" help:"Let a buyer be asked again, and forget that it did not answer."`
	Rotate buyersRotate `cmd:"" name:"rotate-secret" help:"Give a buyer a new secret; the old one signs too until --end."`
	Remove buyersRemove `cmd:"" help:"Forget a buyer. What it was offered stays in the history of the leads."`
	Test   buyersTry    `cmd:"" help:"Send a buyer a signed test offer, and show what it answers."`
	Import buyersImport `cmd:"" help:"Read ZIP codes from a CSV file into a buyer's area."`
}

// operated is what every command of an operator has.
type operated struct {
	config.Data
	JSON bool `help:"JSON, for programs."`
}

// oneBuyer is what every command about one buyer has.
type oneBuyer struct {
	operated
	ID string `arg:"" name:"buyer-id" help:"The buyer's id."`
}

// atDesk opens the desk for a command on a database that is there.
func atDesk(s stage, d config.Data, n config.Network, do func(*desk.Desk) error) error {
	operator, err := app.OpenDesk(s.ctx, d, n.AllowPrivate)
	if err != nil {
		return err
	}
	tellOfKeys(s, operator.KeysMade)
	return errors.Join(flagged(do(operator.Desk)), operator.Close())
}

// flagged names a term that is wrong as it is typed.
func flagged(err error) error {
	var wrong *desk.Wrong
	if errors.As(err, &wrong) {
		return fmt.Errorf("--%w", wrong)
	}
	return err
}

// card shows a buyer after a change: a sentence for people, the whole buyer for programs.
func (c operated) card(s stage, d *desk.Desk, id, sentence string, more ...wire.Member) error {
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
