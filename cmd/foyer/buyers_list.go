package main

import (
	"fmt"
	"text/tabwriter"

	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/wire"
)

type buyersList struct {
	config.Data
	JSON bool `help:"Print one JSON object per line."`
}

// Run lists buyers.
func (c *buyersList) Run(s env) error {
	return atDesk(s, c.Data, config.Network{}, func(d *operator.Operator) error {
		cards, err := d.List(s.ctx)
		if err != nil {
			return err
		}
		if c.JSON {
			for _, card := range cards {
				fmt.Fprintf(s.stdout, "%s\n", wire.Marshal(cardRow(card)))
			}
			return nil
		}
		table := tabwriter.NewWriter(s.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "BUYER\tNAME\tSTATE\tSERVICES\tAREA\tPRIORITY\tOFFERED TODAY\tACCEPTED\tDELIVERED\tRETURNED\tCAP\tWHY")
		for _, card := range cards {
			today := card.Today()
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\n", card.ID, oneLine(card.Terms.Name), stateOf(card),
				serviceList(card.Terms.Services), operator.Area(card.Terms.Area), card.Terms.Priority,
				today.Offered, today.Accepted, today.Delivered, today.Returned, capOf(today), orDash(whyOf(card)))
		}
		return table.Flush()
	})
}

// stateOf is the state of a buyer as an operator wants to know it.
func stateOf(c operator.Summary) string {
	if c.Health.Failures > 0 && !c.Health.OpenUntil.IsZero() {
		return stateWord(c.State) + ", not answering"
	}
	return stateWord(c.State)
}

// whyOf says why a buyer gets no leads, where it gets none.
func whyOf(c operator.Summary) string {
	if c.Why == "" && !c.LeftAlone().IsZero() {
		return "asked for time until " + clock(c.LeftAlone())
	}
	return oneLine(c.Why)
}

// capOf is how much of a cap is used.
func capOf(u operator.Use) string {
	if u.Cap == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d", u.Used, u.Cap)
}

type buyersShow struct {
	oneBuyer
}

// Run shows one buyer.
func (c *buyersShow) Run(s env) error {
	return c.at(s, config.Network{}, func(d *operator.Operator) error { return c.show(s, d) })
}

func (c oneBuyer) show(s env, d *operator.Operator) error {
	card, err := d.Show(s.ctx, c.ID)
	if err != nil {
		return err
	}
	if c.JSON {
		_, err := s.stdout.Write(wire.MarshalIndent(cardObject(card)))
		return err
	}
	return printSheet(s, cardSheet(card))
}
