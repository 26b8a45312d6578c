package main

import (
	"errors"
	"fmt"
	"text/tabwriter"

	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

type leads struct {
	List    leadsList    `cmd:"" help:"List the newest leads, without personal details."`
	Show    leadsShow    `cmd:"" help:"Show everything about a lead, including personal details and its timeline."`
	Erase   leadsErase   `cmd:"" help:"Erase who sent a lead: name, phone, email, street and notes, and the address, browser and page it came from."`
	Close   leadsClose   `cmd:"" help:"Take leads off the market for good. Personal details are kept."`
	Release leadsRelease `cmd:"" help:"Put a lead in error, or one that is held, on its way again."`
	Replay  leadsReplay  `cmd:"" help:"Send leads in error again to the buyer that accepted them."`
}

type leadsList struct {
	config.Data
	Limit  int         `default:"50" placeholder:"N" help:"How many to list (default: ${default})."`
	Status lead.Status `placeholder:"STATUS" enum:",received,forwarded,collected,call_to_connect,rejected,error" default:"" help:"Only leads with this status: received, forwarded, collected, call_to_connect, rejected or error."`
	JSON   bool        `help:"Print one JSON object per line."`
}

// AfterApply refuses a limit that lists nothing, or that SQLite and PostgreSQL understand differently.
func (c *leadsList) AfterApply() error {
	if c.Limit < 1 {
		return fmt.Errorf("--limit: %d is too few: write how many leads to list, at least 1", c.Limit)
	}
	return nil
}

// Run lists leads.
func (c *leadsList) Run(e env) error {
	var list []lead.Lead
	if err := withReader(e, c.Data, func(r *store.Reader) (err error) {
		p := terminal.NewProgress(e.stderr)
		defer p.End()
		list, err = r.NewestWatched(e.ctx, c.Limit, c.Status, watch(p))
		return err
	}); err != nil {
		return err
	}
	if c.JSON {
		for _, l := range list {
			fmt.Fprintf(e.stdout, "%s\n", wire.Marshal(report.LeadRow(l)))
		}
		return nil
	}
	table := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "LEAD\tRECEIVED\tSERVICE\tZIP\tSTATUS\tVIA\tMARKS")
	for _, l := range list {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.ID, terminal.Time(l.CreatedAt),
			l.Request.Service, l.Request.ZIP, l.Status, l.Evidence.Channel, report.Marks(l.Marks))
	}
	return table.Flush()
}

type leadsShow struct {
	config.Data
	ID   string `arg:"" name:"id" help:"The lead's id, the id that a buyer has for it, or that of an offer."`
	JSON bool   `help:"Print one JSON object."`
}

// Run shows one lead.
func (c *leadsShow) Run(e env) error {
	return withReader(e, c.Data, func(r *store.Reader) error {
		id, err := r.LeadOf(e.ctx, c.ID)
		if err != nil {
			return err
		}
		l, err := r.Lead(e.ctx, id)
		if err != nil {
			return err
		}
		consent := ""
		if l.Evidence.Consent.Hash != "" {
			if consent, err = r.ConsentText(e.ctx, l.Evidence.Consent.Hash); err != nil {
				return err
			}
		}
		past, err := report.ReadTimeline(e.ctx, r, l)
		if err != nil {
			return err
		}
		fields := report.LeadFields(l, consent)
		if c.JSON {
			_, err := e.stdout.Write(wire.MarshalIndent(append(fields, past.Object()...)))
			return err
		}
		return errors.Join(report.PrintFields(e.stdout, fields), report.PrintTimeline(e.stdout, past))
	})
}

type leadsErase struct {
	config.Data
	ID string `arg:"" name:"lead-id" help:"The lead's id, or the id that a buyer has for it."`
}

// Run erases the personal details of a lead. That closes the lead, because no one could be contacted anymore.
func (c *leadsErase) Run(e env) error {
	return withOperator(e, c.Data, config.Network{}, func(op *operator.Operator) error {
		id, err := op.Erase(e.ctx, e.by, c.ID)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(e.stdout, id, "holds no personal details anymore.")
		return err
	})
}
