package main

import (
	"fmt"
	"text/tabwriter"

	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/report"
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
				fmt.Fprintf(e.stdout, "%s\n", wire.Marshal(report.BuyerRow(sum)))
			}
			return nil
		}
		table := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "BUYER\tNAME\tSTATE\tSERVICES\tAREA\tPRIORITY\tOFFERED TODAY\tACCEPTED\tDELIVERED\tRETURNED\tCAP\tWHY")
		for _, sum := range summaries {
			today := sum.Today()
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\n", sum.ID, terminal.OneLine(sum.Terms.Name), report.StateNow(sum),
				report.Services(sum.Terms.Services), operator.Area(sum.Terms.Area), sum.Terms.Priority,
				today.Offered, today.Accepted, today.Delivered, today.Returned, report.Cap(today), terminal.OrDash(report.Why(sum)))
		}
		return table.Flush()
	})
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
		_, err := e.stdout.Write(wire.MarshalIndent(report.Buyer(sum)))
		return err
	}
	return report.PrintFields(e.stdout, report.BuyerFields(sum))
}
