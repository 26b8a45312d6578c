package main

import (
	"fmt"
	"text/tabwriter"

	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

type buyersList struct {
	config.Data
	JSON bool `help:"Print one JSON object per line."`
}

// Run lists buyers.
func (c *buyersList) Run(e env) error {
	return withOperator(e, c.Data, config.Network{}, func(op *operator.Operator) error {
		summaries, err := op.List(e.ctx)
		if err != nil {
			return err
		}
		if c.JSON {
			for _, sum := range summaries {
				fmt.Fprintf(e.stdout, "%s\n", wire.Marshal(buyerRow(sum)))
			}
			return nil
		}
		table := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "BUYER\tNAME\tSTATE\tSERVICES\tAREA\tPRIORITY\tOFFERED TODAY\tACCEPTED\tDELIVERED\tRETURNED\tCAP\tWHY")
		for _, sum := range summaries {
			today := sum.Today()
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\n", sum.ID, terminal.OneLine(sum.Terms.Name), stateText(sum),
				serviceList(sum.Terms.Services), operator.Area(sum.Terms.Area), sum.Terms.Priority,
				today.Offered, today.Accepted, today.Delivered, today.Returned, capText(today), terminal.OrDash(reasonText(sum)))
		}
		return table.Flush()
	})
}

// stateText returns a buyer's state, and whether it has stopped answering.
func stateText(sum operator.Summary) string {
	if sum.Health.Failures > 0 && !sum.Health.OpenUntil.IsZero() {
		return stateWord(sum.State) + ", not answering"
	}
	return stateWord(sum.State)
}

// reasonText says why a buyer gets no leads, if so.
func reasonText(sum operator.Summary) string {
	if sum.Why == "" && !sum.LeftAlone().IsZero() {
		return "asked for time until " + terminal.Time(sum.LeftAlone())
	}
	return terminal.OneLine(sum.Why)
}

// capText says how much of a cap is used.
func capText(u operator.Use) string {
	if u.Cap == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d", u.Used, u.Cap)
}

type buyersShow struct {
	buyerFlags
}

// Run shows one buyer.
func (c *buyersShow) Run(e env) error {
	return c.withBuyer(e, config.Network{}, func(op *operator.Operator) error { return c.show(e, op) })
}

func (c buyerFlags) show(e env, op *operator.Operator) error {
	sum, err := op.Show(e.ctx, c.ID)
	if err != nil {
		return err
	}
	if c.JSON {
		_, err := e.stdout.Write(wire.MarshalIndent(buyerObject(sum)))
		return err
	}
	return printFields(e, buyerFields(sum))
}
