package main

import (
	"fmt"

	"foyer/internal/buyer"
	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/wire"
)

// amount is an amount of money on the command line.
type amount buyer.Cents

// UnmarshalText reads dollars and cents.
func (a *amount) UnmarshalText(text []byte) error {
	c, err := buyer.ParseCents(string(text))
	*a = amount(c)
	return err
}

type buyersTopUp struct {
	buyerFlags
	Amount amount `arg:"" help:"What the buyer paid, such as 500.00."`
	Note   string `placeholder:"TEXT" help:"What the statement says about it, such as the number of a transfer."`
}

// Run enters a payment.
func (c *buyersTopUp) Run(e env) error {
	return c.withBuyer(e, config.Network{}, func(op *operator.Operator) error {
		entry, err := op.TopUp(e.ctx, e.by, c.ID, buyer.Cents(c.Amount), c.Note)
		if err != nil {
			return err
		}
		return c.printEntry(e, op, entry)
	})
}

type buyersCorrect struct {
	buyerFlags
	OwesMore amount `name:"owes-more" xor:"amount" required:"" placeholder:"AMOUNT" help:"What the buyer owes more, such as 20.00."`
	OwesLess amount `name:"owes-less" xor:"amount" required:"" placeholder:"AMOUNT" help:"What the buyer owes less."`
	Note     string `required:"" placeholder:"TEXT" help:"Why. The buyer reads it on the statement."`
}

// Run enters a correction.
func (c *buyersCorrect) Run(e env) error {
	if c.OwesMore < 0 || c.OwesLess < 0 {
		return fmt.Errorf("write an amount above zero: --owes-more and --owes-less say in whose favor it is")
	}
	return c.withBuyer(e, config.Network{}, func(op *operator.Operator) error {
		entry, err := op.Correct(e.ctx, e.by, c.ID, buyer.Cents(c.OwesMore-c.OwesLess), c.Note)
		if err != nil {
			return err
		}
		return c.printEntry(e, op, entry)
	})
}

// printEntry prints what was entered, and the balance after it.
func (c buyerFlags) printEntry(e env, op *operator.Operator, entry buyer.Entry) error {
	sum, err := op.Show(e.ctx, entry.Buyer)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s (%s) owes %s less", sum.ID, sum.Terms.Name, -entry.Amount)
	if entry.Amount > 0 {
		text = fmt.Sprintf("%s (%s) owes %s more", sum.ID, sum.Terms.Name, entry.Amount)
	}
	switch {
	case entry.Kind == buyer.EntryPayment:
		text = fmt.Sprintf("%s (%s) paid %s", sum.ID, sum.Terms.Name, -entry.Amount)
	}
	balance := fmt.Sprintf("It owes %s.", sum.Owed)
	if sum.Owed < 0 {
		balance = fmt.Sprintf("It has %s left.", -sum.Owed)
	}
	return e.print(c.JSON, wire.Object{{"buyer", sum.ID}, {"kind", entry.Kind}, {"amount_cents", entry.Amount}, {"note", wire.OrNull(entry.Note)}, {"owed_cents", sum.Owed}},
		sentence("%s. %s", text, balance))
}
