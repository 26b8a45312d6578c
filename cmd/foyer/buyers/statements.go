package buyers

import (
	"errors"
	"io"
	"time"

	"foyer/cmd/foyer/cli"
	"foyer/internal/buyer"
	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/report"
)

// Statements are the commands about what each buyer owes for a month.
type Statements struct {
	List   statementsList   `cmd:"" help:"List the statements that are closed, the newest month first."`
	Show   statementsShow   `cmd:"" help:"Show the statement of a buyer for a month, or write it as CSV."`
	Close  statementsClose  `cmd:"" help:"Close the statements of a month that is over. They never change again."`
	Verify statementsVerify `cmd:"" help:"Compare the lines of closed statements with their hashes."`
}

// monthFlag is a month on the command line.
type monthFlag struct{ buyer.Month }

// UnmarshalText reads a month.
func (m *monthFlag) UnmarshalText(text []byte) (err error) {
	m.Month, err = buyer.ParseMonth(string(text))
	return err
}

// or returns the month that was given, or that of a time.
func (m monthFlag) or(t time.Time) buyer.Month {
	if m.Month != (buyer.Month{}) {
		return m.Month
	}
	return buyer.MonthOf(t)
}

type statementsList struct {
	config.Data
	Buyer string `placeholder:"BUYER" help:"Only those of one buyer, by its name or id."`
	JSON  bool   `help:"Print one JSON object per line."`
}

// Run lists statements.
func (c *statementsList) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) (err error) {
		if c.Buyer != "" {
			if c.Buyer, err = op.Accounts().Find(e.Ctx, c.Buyer); err != nil {
				return err
			}
		}
		list, err := op.Accounts().Statements(e.Ctx, c.Buyer)
		if err != nil {
			return err
		}
		return printStatements(e, c.JSON, list)
	})
}

func printStatements(e cli.Env, asJSON bool, list []buyer.Statement) error {
	return cli.PrintList(e, asJSON, list, report.Statement, "MONTH\tBUYER\tNAME\tLEADS\tCHARGES\tRETURNS\tCORRECTIONS\tPAYMENTS\tOWED\tCLOSED", report.StatementRow)
}

type statementsShow struct {
	buyerFlags
	cli.CalendarFlag
	Month monthFlag `placeholder:"MONTH" help:"Which month, such as 2026-11. Default: the current one."`
	CSV   bool      `name:"csv" help:"Write every line, as CSV. The hash of a closed statement is that of this file."`
}

// AfterApply refuses two forms at once.
func (c *statementsShow) AfterApply() error {
	if c.CSV && c.JSON {
		return errors.New("--csv and --json cannot be used together: --json shows the totals, --csv every line")
	}
	return nil
}

// Run shows a statement.
func (c *statementsShow) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) (err error) {
		if c.ID, err = op.Accounts().Find(e.Ctx, c.ID); err != nil {
			return err
		}
		zone, err := c.Zone(e, op)
		if err != nil {
			return err
		}
		month := c.Month.or(time.Now().In(zone))
		if c.CSV {
			return op.Accounts().WriteStatement(e.Ctx, e.By, c.ID, month, zone, e.Stdout)
		}
		s, err := op.Accounts().Statement(e.Ctx, c.ID, month, zone)
		if err != nil {
			return err
		}
		return e.Print(c.JSON, report.Statement(s), func(w io.Writer) error { return report.PrintFields(w, report.StatementFields(s)) })
	})
}

type statementsVerify struct {
	config.Data
	Buyer string `placeholder:"BUYER" help:"Only those of one buyer, by its name or id."`
}

// Run compares statements with their hashes.
func (c *statementsVerify) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) (err error) {
		if c.Buyer != "" {
			if c.Buyer, err = op.Accounts().Find(e.Ctx, c.Buyer); err != nil {
				return err
			}
		}
		n, err := op.Accounts().VerifyStatements(e.Ctx, c.Buyer)
		if err != nil {
			return err
		}
		return cli.Sentence("Closed statements: %d. Each is what it was when it was closed.", n)(e.Stdout)
	})
}

type statementsClose struct {
	cli.OperatorFlags
	cli.CalendarFlag
	Month monthFlag `placeholder:"MONTH" help:"Which month, such as 2026-11. Default: the last one."`
	Buyer string    `placeholder:"BUYER" help:"Only that of one buyer, by its name or id. Default: of all that have lines."`
}

// Run closes statements: those of all buyers one after the other. One that cannot be closed does not hold up the others.
func (c *statementsClose) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) (err error) {
		zone, err := c.Zone(e, op)
		if err != nil {
			return err
		}
		month := c.Month.or(time.Now().In(zone))
		if c.Month.Month == (buyer.Month{}) {
			month = month.Before()
		}
		ids, err := c.buyers(e, op, month, zone)
		if err != nil {
			return err
		}
		var closed []buyer.Statement
		var failed []error
		for _, id := range ids {
			s, err := op.Accounts().CloseStatement(e.Ctx, e.By, id, month, zone)
			if err != nil {
				failed = append(failed, err)
				continue
			}
			closed = append(closed, s)
		}
		if len(ids) == 0 && !c.JSON {
			return cli.Sentence("There is nothing to close for %s: no buyer has open lines.", month)(e.Stdout)
		}
		if len(closed) > 0 {
			failed = append(failed, printStatements(e, c.JSON, closed))
		}
		return errors.Join(failed...)
	})
}

// buyers returns whose statements to close.
func (c *statementsClose) buyers(e cli.Env, op *operator.Operator, month buyer.Month, zone *time.Location) ([]string, error) {
	if c.Buyer == "" {
		return op.Accounts().Closable(e.Ctx, month, zone)
	}
	id, err := op.Accounts().Find(e.Ctx, c.Buyer)
	return []string{id}, err
}
