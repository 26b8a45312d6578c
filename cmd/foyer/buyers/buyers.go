// Package buyers has the commands about buyers and their money: buyers, returns, statements and route. It reads flags and prints;
// package operator has the rules.
package buyers

import (
	"cmp"
	"fmt"
	"io"

	"foyer/cmd/foyer/cli"
	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
	"foyer/internal/report"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// Buyers are the commands about buyers.
type Buyers struct {
	Add      buyersAdd      `cmd:"" help:"Add a buyer, in test. Its secret is printed only once."`
	Test     buyersTry      `cmd:"" help:"Send a buyer a signed test offer and show how its answer is understood."`
	Start    buyersStart    `cmd:"" help:"Make a buyer that was tested active."`
	Practice buyersPractice `cmd:"" help:"Add a practice buyer, which takes made-up leads at once and is never offered a person's."`
	List     buyersList     `cmd:"" help:"List the buyers in the order in which they are asked."`
	Show     buyersShow     `cmd:"" help:"Show everything about a buyer except its secrets."`
	Edit     buyersEdit     `cmd:"" help:"Change a buyer's terms. What you leave out stays as it is."`
	TopUp    buyersTopUp    `cmd:"" name:"top-up" help:"Enter a payment of a buyer. It raises its balance."`
	Owed     buyersOwed     `cmd:"" help:"List what each buyer owes or has left, removed ones included."`
	Correct  buyersCorrect  `cmd:"" help:"Enter what a buyer owes more or less, as a line of its own on the statement."`
	Pause    buyersPause    `cmd:"" help:"Stop offering leads to a buyer."`
	Resume   buyersResume   `cmd:"" help:"Offer leads to a paused buyer again and clear its failures."`
	Rotate   buyersRotate   `cmd:"" name:"rotate-secret" help:"Give a buyer a new secret. Messages carry both signatures until --end."`
	Remove   buyersRemove   `cmd:"" help:"Remove a buyer. The history of its leads keeps its name."`
	Import   buyersImport   `cmd:"" help:"Import ZIP codes from a CSV file into a buyer's area."`
}

// buyerFlags are the arguments and flags of every command about one buyer.
type buyerFlags struct {
	cli.OperatorFlags
	ID string `arg:"" name:"buyer" help:"The buyer's name or id."`
}

// withBuyer opens the database for a command about one buyer and resolves the buyer's name or id.
func (c *buyerFlags) withBuyer(e cli.Env, n config.Network, do func(*operator.Operator) error) error {
	return e.WithSender(c.Data, n, func(op *operator.Operator) (err error) {
		if c.ID, err = op.Find(e.Ctx, c.ID); err != nil {
			return err
		}
		return do(op)
	})
}

// printChanged prints a buyer after a change: a sentence for people, or the whole buyer as JSON.
func printChanged(e cli.Env, asJSON bool, op *operator.Operator, id, text string, more ...wire.Member) error {
	if !asJSON {
		return cli.Sentence("%s", text)(e.Stdout) // reading the buyer might fail, and the text may hold a secret that is shown only once
	}
	sum, err := op.Show(e.Ctx, id)
	if err != nil {
		return err
	}
	return e.Print(true, report.Buyer(sum, more...), nil)
}

type buyersList struct{ cli.ListFlags }

// Run lists buyers.
func (c *buyersList) Run(e cli.Env) error {
	summaries := func(op *operator.Operator) ([]query.Summary, error) { return op.List(e.Ctx) }
	return cli.List(e, c.ListFlags, summaries, "", report.BuyerRow, "BUYER\tNAME\tSTATE\tSERVICES\tAREA\tPRIORITY\tOFFERED TODAY\tACCEPTED\tDELIVERED\tRETURNED\tCAP\tOWES\tWHY", func(sum query.Summary) []any {
		t, today := sum.Terms, sum.Today()
		return []any{
			sum.ID, terminal.OneLine(t.Name), report.StateNow(sum), report.FewServices(t.Services), entered.Area(t.Area), t.Priority,
			today.Offered, today.Accepted, today.Delivered, today.Returned, report.Cap(today), report.Owes(sum), cmp.Or(report.Why(sum), "-"),
		}
	})
}

type buyersShow struct {
	buyerFlags
}

// Run shows one buyer.
func (c *buyersShow) Run(e cli.Env) error {
	return c.withBuyer(e, config.Network{}, func(op *operator.Operator) error { return c.show(e, op) })
}

func (c buyerFlags) show(e cli.Env, op *operator.Operator) error {
	sum, err := op.Show(e.Ctx, c.ID)
	if err != nil {
		return err
	}
	return e.Print(c.JSON, report.Buyer(sum), func(w io.Writer) error { return report.PrintFields(w, report.BuyerFields(sum)) })
}

type buyersImport struct {
	buyerFlags
	File    string `arg:"" help:"A CSV file, or - for standard input."`
	Replace bool   `help:"Replace the list instead of adding to it."`
	Exclude bool   `help:"Import them as ZIP codes that the buyer does not cover."`
}

// Run reads the whole file before it changes anything.
func (c *buyersImport) Run(e cli.Env) error {
	file, _, err := cli.OpenInput(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	zips, err := entered.ReadZIPs(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file.Name(), err)
	}
	return c.withBuyer(e, config.Network{}, func(op *operator.Operator) error {
		b, before, err := op.Import(e.Ctx, e.By, c.ID, operator.Import{ZIPs: zips, Replace: c.Replace, Exclude: c.Exclude})
		if err != nil {
			return err
		}
		return printChanged(e, c.JSON, op, b.ID, fmt.Sprintf("%s (%s): ZIP codes read: %d. It covered %s; now it covers %s.",
			b.ID, b.Terms.Name, len(zips), entered.Area(before), entered.Area(b.Terms.Area)))
	})
}
