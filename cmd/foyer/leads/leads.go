// Package leads has the commands about leads, the people who sent them, and where they came from: leads, sources, report, suppress and
// privacy. It reads flags and prints; package operator has the rules.
package leads

import (
	"fmt"

	"foyer/cmd/foyer/cli"
	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/report"
	"foyer/internal/store"
)

// Leads are the commands about leads.
type Leads struct {
	List    leadsList    `cmd:"" help:"Find and list leads, newest first; or write them as CSV or JSON."`
	Show    leadsShow    `cmd:"" help:"Show everything about a lead, including personal details and its timeline."`
	Erase   leadsErase   `cmd:"" help:"Erase who sent a lead: name, phone, email, street and notes, and the address, browser and page it came from."`
	Close   leadsClose   `cmd:"" help:"Take leads off the market for good. Personal details are kept."`
	Release leadsRelease `cmd:"" help:"Put a lead in error, or one that is held, on its way again."`
	Replay  leadsReplay  `cmd:"" help:"Send leads in error again to the buyer that accepted them."`
}

type leadsShow struct {
	config.Data
	ID   string `arg:"" name:"id" help:"The lead's id, the id that a buyer has for it, or that of an offer."`
	JSON bool   `help:"Print one JSON object."`
}

// Run shows one lead.
func (c *leadsShow) Run(e cli.Env) error {
	return e.WithReader(c.Data, func(tx *store.Tx) error {
		d, err := report.ReadLead(tx, c.ID)
		if err != nil {
			return err
		}
		return e.Print(c.JSON, d.Object(), d.Print)
	})
}

type leadsErase struct {
	config.Data
	ID string `arg:"" name:"lead-id" help:"The lead's id, or the id that a buyer has for it."`
}

// Run erases the personal details of a lead. That closes the lead, because no one could be contacted anymore.
func (c *leadsErase) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) error {
		id, err := op.Erase(e.Ctx, e.By, c.ID)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(e.Stdout, id, "holds no personal details anymore.")
		return err
	})
}
