package buyers

import (
	"errors"
	"fmt"

	"foyer/cmd/foyer/cli"
	"foyer/internal/buyer"
	"foyer/internal/operator"
	"foyer/internal/operator/accounts"
	"foyer/internal/report"
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
func (c *buyersTopUp) Run(e cli.Env) error {
	return c.withAccount(e, func(op *operator.Operator) (accounts.Entered, error) {
		return op.Accounts().TopUp(e.Ctx, e.By, c.ID, buyer.Cents(c.Amount), c.Note)
	})
}

type buyersCorrect struct {
	buyerFlags
	OwesMore amount `name:"owes-more" xor:"amount" required:"" placeholder:"AMOUNT" help:"What the buyer owes more, such as 20.00."`
	OwesLess amount `name:"owes-less" xor:"amount" required:"" placeholder:"AMOUNT" help:"What the buyer owes less."`
	Note     string `required:"" placeholder:"TEXT" help:"Why. The buyer reads it on the statement."`
}

// Run enters a correction.
func (c *buyersCorrect) Run(e cli.Env) error {
	if c.OwesMore < 0 || c.OwesLess < 0 {
		return errors.New("write an amount above zero: --owes-more and --owes-less say in whose favor it is")
	}
	return c.withAccount(e, func(op *operator.Operator) (accounts.Entered, error) {
		return op.Accounts().Correct(e.Ctx, e.By, c.ID, buyer.Cents(c.OwesMore-c.OwesLess), c.Note)
	})
}

type buyersOwed struct{ cli.ListFlags }

// Run lists what buyers owe.
func (c *buyersOwed) Run(e cli.Env) error {
	owed := func(op *operator.Operator) ([]accounts.Account, error) { return op.Accounts().List(e.Ctx) }
	return cli.List(e, c.ListFlags, owed, "", report.Account, "BUYER\tNAME\tSTATE\tOWES\tCREDIT LIMIT", report.AccountRow)
}

// withAccount opens the database for a command about the account of a buyer.
func (c *buyerFlags) withAccount(e cli.Env, do func(*operator.Operator) (accounts.Entered, error)) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) (err error) {
		if c.ID, err = op.Accounts().Find(e.Ctx, c.ID); err != nil {
			return err
		}
		entered, err := do(op)
		if err != nil {
			return err
		}
		return c.printEntered(e, entered)
	})
}

// printEntered prints what was entered, and what the buyer owes after it.
func (c buyerFlags) printEntered(e cli.Env, in accounts.Entered) error {
	what := fmt.Sprintf("owes %s more", in.Amount)
	switch {
	case in.Kind == buyer.EntryPayment:
		what = fmt.Sprintf("paid %s", -in.Amount)
	case in.Amount < 0:
		what = fmt.Sprintf("owes %s less", -in.Amount)
	}
	return e.Print(c.JSON, report.Entered(in),
		cli.Sentence("%s (%s) %s. %s", in.Buyer, in.BuyerName, what, owedText(in.Owed)))
}

// owedText says what a buyer owes, or has left of what it paid.
func owedText(owed buyer.Cents) string {
	if owed < 0 {
		return fmt.Sprintf("It has %s left.", -owed)
	}
	return fmt.Sprintf("It owes %s.", owed)
}
