package main

import (
	"errors"
	"fmt"
	"strings"

	"foyer/internal/app"
	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/report"
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

// operatorFlags are the flags of every operator command.
type operatorFlags struct {
	config.Data
	JSON bool `help:"Print JSON."`
}

// buyerFlags are the arguments and flags of every command about one buyer.
type buyerFlags struct {
	operatorFlags
	ID string `arg:"" name:"buyer" help:"The buyer's name or id."`
}

// withBuyer opens the database for a command about one buyer and resolves the buyer's name or id.
func (c *buyerFlags) withBuyer(e env, n config.Network, do func(*operator.Operator) error) error {
	return withOperator(e, c.Data, n, func(op *operator.Operator) (err error) {
		if c.ID, err = op.Find(e.ctx, c.ID); err != nil {
			return err
		}
		return do(op)
	})
}

// withOperator opens an existing database for an operator command.
func withOperator(e env, d config.Data, n config.Network, do func(*operator.Operator) error) error {
	op, err := app.OpenOperator(e.ctx, d, n.AllowPrivate, e.by)
	if err != nil {
		return err
	}
	printKeysMade(e, op.KeysMade)
	return errors.Join(withFlagNames(do(op.Operator)), op.Close())
}

// withFlagNames adds the flag to each problem, and lists several problems on lines of their own.
func withFlagNames(err error) error {
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

// printChanged prints a buyer after a change: a sentence for people, or the whole buyer as JSON.
func (c operatorFlags) printChanged(e env, op *operator.Operator, id, sentence string, more ...wire.Member) error {
	if !c.JSON {
		_, err := fmt.Fprintln(e.stdout, sentence)
		return err
	}
	sum, err := op.Show(e.ctx, id)
	if err != nil {
		return err
	}
	_, err = e.stdout.Write(wire.MarshalIndent(report.Buyer(sum, more...)))
	return err
}
