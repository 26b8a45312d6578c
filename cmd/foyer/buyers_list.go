package main

import (
	"fmt"
	"text/tabwriter"

	"foyer/internal/config"
	"foyer/internal/desk"
	"foyer/internal/wire"
)

type buyersList struct {
	config.Data
	JSON bool `help:"One JSON object a line, for programs."`
}

// Run lists buyers.
func (c *buyersList) Run(s stage) error {
	return atDesk(s, c.Data, config.Network{}, func(d *desk.Desk) error {
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
		fmt.Fprintln(table, "BUYER\tNAME\tSTATE\tSERVICES\tAREA\tPRIORITY\tTODAY")
		for _, card := range cards {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%d\t%s\n", card.ID, card.Terms.Name, stateOf(card),
				serviceList(card.Terms.Services), desk.Area(card.Terms.Area), card.Terms.Priority, useOf(card.Today()))
		}
		return table.Flush()
	})
}

// stateOf is the state of a buyer as an operator wants to know it.
func stateOf(c desk.Card) string {
	if c.Standing.Failures > 0 && !c.Standing.Shut.IsZero() {
		return string(c.State) + ", not answering"
	}
	return string(c.State)
}

func useOf(u desk.Use) string {
	if u.Cap == 0 {
		return fmt.Sprint(u.Used)
	}
	return fmt.Sprintf("%d of %d", u.Used, u.Cap)
}

type buyersShow struct {
	oneBuyer
}

// Run shows one buyer.
func (c *buyersShow) Run(s stage) error {
	return atDesk(s, c.Data, config.Network{}, func(d *desk.Desk) error { return c.show(s, d) })
}

func (c oneBuyer) show(s stage, d *desk.Desk) error {
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
