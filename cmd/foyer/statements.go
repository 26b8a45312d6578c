package main

import (
	"errors"
	"io"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/operator/query"
	"foyer/internal/report"
	"foyer/internal/store"
)

type statements struct {
	List   statementsList   `cmd:"" help:"List the statements that are closed, the newest month first."`
	Show   statementsShow   `cmd:"" help:"Show the statement of a buyer for a month, or write it as CSV."`
	Close  statementsClose  `cmd:"" help:"Close the statements of a month that is over. They never change again."`
	Verify statementsVerify `cmd:"" help:"Compare the lines of closed statements with their hashes."`
}

// calendarFlag says which time zone days and months have. A shell that does not have the service's setting means the same days.
type calendarFlag struct {
	TimeZone config.Zone `name:"time-zone" env:"FOYER_TIME_ZONE" placeholder:"ZONE" help:"Time zone of days and months, such as America/New_York. Default: that of the reports."`
}

func (c calendarFlag) zone(e env, op *operator.Operator) (zone *time.Location, err error) {
	err = op.Store.View(e.ctx, func(tx *store.Tx) (err error) { zone, err = query.Zone(tx, c.TimeZone.Location); return err })
	return zone, err
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
func (c *statementsList) Run(e env) error {
	return withOperator(e, c.Data, config.Network{}, func(op *operator.Operator) (err error) {
		if c.Buyer != "" {
			if c.Buyer, err = op.FindAccount(e.ctx, c.Buyer); err != nil {
				return err
			}
		}
		list, err := op.Statements(e.ctx, c.Buyer)
		if err != nil {
			return err
		}
		return printStatements(e, c.JSON, list)
	})
}

func printStatements(e env, asJSON bool, list []buyer.Statement) error {
	return printList(e, asJSON, list, report.Statement, "MONTH\tBUYER\tNAME\tLEADS\tCHARGES\tRETURNS\tCORRECTIONS\tPAYMENTS\tOWED\tCLOSED", report.StatementRow)
}

type statementsShow struct {
	buyerFlags
	calendarFlag
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
func (c *statementsShow) Run(e env) error {
	return withOperator(e, c.Data, config.Network{}, func(op *operator.Operator) (err error) {
		if c.ID, err = op.FindAccount(e.ctx, c.ID); err != nil {
			return err
		}
		zone, err := c.zone(e, op)
		if err != nil {
			return err
		}
		month := c.Month.or(time.Now().In(zone))
		if c.CSV {
			return op.WriteStatement(e.ctx, e.by, c.ID, month, zone, e.stdout)
		}
		s, err := op.Statement(e.ctx, c.ID, month, zone)
		if err != nil {
			return err
		}
		return e.print(c.JSON, report.Statement(s), func(w io.Writer) error { return report.PrintFields(w, report.StatementFields(s)) })
	})
}

type statementsVerify struct {
	config.Data
	Buyer string `placeholder:"BUYER" help:"Only those of one buyer, by its name or id."`
}

// Run compares statements with their hashes.
func (c *statementsVerify) Run(e env) error {
	return withOperator(e, c.Data, config.Network{}, func(op *operator.Operator) (err error) {
		if c.Buyer != "" {
			if c.Buyer, err = op.FindAccount(e.ctx, c.Buyer); err != nil {
				return err
			}
		}
		n, err := op.VerifyStatements(e.ctx, c.Buyer)
		if err != nil {
			return err
		}
		return sentence("Closed statements: %d. Each is what it was when it was closed.", n)(e.stdout)
	})
}

type statementsClose struct {
	operatorFlags
	calendarFlag
	Month monthFlag `placeholder:"MONTH" help:"Which month, such as 2026-11. Default: the last one."`
	Buyer string    `placeholder:"BUYER" help:"Only that of one buyer, by its name or id. Default: of all that have lines."`
}

// Run closes statements: those of all buyers one after the other. One that cannot be closed does not hold up the others.
func (c *statementsClose) Run(e env) error {
	return withOperator(e, c.Data, config.Network{}, func(op *operator.Operator) (err error) {
		zone, err := c.zone(e, op)
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
			s, err := op.CloseStatement(e.ctx, e.by, id, month, zone)
			if err != nil {
				failed = append(failed, err)
				continue
			}
			closed = append(closed, s)
		}
		if len(ids) == 0 && !c.JSON {
			return sentence("There is nothing to close for %s: no buyer has open lines.", month)(e.stdout)
		}
		if len(closed) > 0 {
			failed = append(failed, printStatements(e, c.JSON, closed))
		}
		return errors.Join(failed...)
	})
}

// buyers returns whose statements to close.
func (c *statementsClose) buyers(e env, op *operator.Operator, month buyer.Month, zone *time.Location) ([]string, error) {
	if c.Buyer == "" {
		return op.Closable(e.ctx, month, zone)
	}
	id, err := op.FindAccount(e.ctx, c.Buyer)
	return []string{id}, err
}
