package main

import (
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/wire"
)

type leadsRelease struct {
	operatorFlags
	ID string `arg:"" name:"lead-id" help:"The lead's id."`
}

// Run releases a lead in error, or a held one.
func (c *leadsRelease) Run(e env) error {
	return withOperator(e, c.Data, config.Network{}, func(op *operator.Operator) error {
		l, err := op.Release(e.ctx, e.by, c.ID)
		switch {
		case err != nil:
			return err
		case c.JSON:
			_, err := e.stdout.Write(wire.MarshalIndent(wire.Object{{"lead_id", l.ID}, {"status", l.Status}}))
			return err
		case l.Status == lead.Received:
			fmt.Fprintf(e.stdout, "%s is received: buyers that cover it are asked now.\n", l.ID)
		default:
			fmt.Fprintf(e.stdout, "%s is collected: no buyer covers it now, so it is held.\n", l.ID)
		}
		return nil
	})
}

type leadsReplay struct {
	operatorFlags
	ID     string    `arg:"" optional:"" name:"lead-id" help:"The lead's id."`
	From   *timeFlag `placeholder:"TIME" help:"All leads in error received from this time on: 2026-11-05, '2026-11-05 08:30' (UTC) or RFC 3339."`
	To     *timeFlag `placeholder:"TIME" help:"Received before this time. Default: now."`
	DryRun bool      `name:"dry-run" help:"Only show what would be sent."`
}

// AfterApply requires a lead or a range of time.
func (c *leadsReplay) AfterApply() error {
	switch {
	case c.ID == "" && c.From == nil:
		return errors.New("name a lead, or a range of time with --from and --to")
	case c.ID != "" && (c.From != nil || c.To != nil || c.DryRun):
		return errors.New("name a lead, or a range of time with --from, --to and --dry-run, not both")
	case c.From != nil && c.To != nil && !c.From.Before(c.To.Time):
		return errors.New("--to: the range ends before it begins: write a later time")
	}
	return nil
}

// Run sends leads in error to the same buyer again.
func (c *leadsReplay) Run(e env) error {
	return withOperator(e, c.Data, config.Network{}, func(op *operator.Operator) error {
		if c.From != nil {
			return c.replayAll(e, op)
		}
		r, err := op.Replay(e.ctx, e.by, c.ID)
		switch {
		case err != nil:
			return err
		case c.JSON:
			_, err := e.stdout.Write(wire.MarshalIndent(replayedObject(r)))
			return err
		}
		fmt.Fprintf(e.stdout, "%s is being sent to %s again, as the same message (%s).\n", r.Lead, r.Buyer, r.Offer)
		return nil
	})
}

func (c *leadsReplay) replayAll(e env, op *operator.Operator) error {
	to := time.Now()
	if c.To != nil {
		to = c.To.Time
	}
	all, err := op.ReplayAll(e.ctx, e.by, c.From.Time, to, c.DryRun)
	if err != nil {
		return err
	}
	if c.JSON {
		for _, r := range all {
			fmt.Fprintf(e.stdout, "%s\n", wire.Marshal(replayedObject(r)))
		}
		return nil
	}
	return c.printAll(e, all)
}

func (c *leadsReplay) printAll(e env, all []operator.Replayed) error {
	left, done := 0, "sent again"
	if c.DryRun {
		done = "would be sent again"
	}
	table := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	if len(all) > 0 {
		fmt.Fprintln(table, "LEAD\tBUYER\tWHAT")
	}
	for _, r := range all {
		what := done
		if r.Left != "" {
			left++
			what = "not sent: " + r.Left
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", r.Lead, r.Buyer, what)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(e.stdout, "Leads in error: %d; %s: %d; not sent: %d.\n", len(all), done, len(all)-left, left)
	return err
}

func replayedObject(r operator.Replayed) wire.Object {
	return wire.Object{
		{"lead_id", r.Lead}, {"buyer_id", wire.OrNull(r.Buyer)}, {"offer_id", wire.OrNull(r.Offer)}, {"replayed", r.Left == ""}, {"left_because", wire.OrNull(r.Left)},
	}
}

// timeFlag is a time as people write it.
type timeFlag struct{ time.Time }

// UnmarshalText parses the time.
func (m *timeFlag) UnmarshalText(text []byte) error {
	for _, layout := range []string{time.RFC3339, time.DateTime, "2006-01-02 15:04", "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.Parse(layout, string(text)); err == nil {
			m.Time = t
			return nil
		}
	}
	return fmt.Errorf("got %q, want a time such as 2026-11-05, '2026-11-05 08:30' (UTC) or 2026-11-05T08:30:00-05:00", text)
}

type leadsClose struct {
	operatorFlags
	IDs []string `arg:"" name:"lead-id" help:"The ids of the leads."`
	Why string   `required:"" placeholder:"TEXT" help:"Why, for anyone who looks at the lead: at most 100 characters, no personal details."`
}

// Help explains what closing is for, and what happens to the reason.
func (*leadsClose) Help() string {
	return "For leads that were sold elsewhere or must not be sold, for example after restoring a backup. A closed lead is rejected: it is never offered again and cannot be reopened. " +
		"Only leads that are received or collected can be closed, and only if no buyer may have the contact. " +
		"The reason stays when the lead is erased, so do not put a name, phone number or address in it; ids of buyers and offers are fine. " +
		"Each lead gets a line of its own. If any lead could not be closed, the exit code is 1; the others are closed."
}

// AfterApply validates the reason before anything is opened.
func (c *leadsClose) AfterApply() (err error) {
	c.Why, err = operator.Reason(c.Why)
	return withFlagNames(err)
}

// Run closes each lead in its own transaction.
func (c *leadsClose) Run(e env) error {
	return withOperator(e, c.Data, config.Network{}, func(op *operator.Operator) error {
		left := 0
		for _, id := range c.IDs {
			closed, err := op.CloseLead(e.ctx, e.by, id, c.Why)
			if err != nil {
				return err
			}
			if closed.Left != "" {
				left++
			}
			c.print(e, closed)
		}
		if left > 0 {
			return fmt.Errorf("leads not closed: %d of %d", left, len(c.IDs))
		}
		return nil
	})
}

func (c *leadsClose) print(e env, closed operator.Closed) {
	switch {
	case c.JSON:
		fmt.Fprintf(e.stdout, "%s\n", wire.Marshal(wire.Object{{"lead_id", closed.Lead}, {"closed", closed.Left == ""}, {"left_because", wire.OrNull(closed.Left)}}))
	case closed.Left != "":
		fmt.Fprintf(e.stdout, "%s was not closed: %s.\n", closed.Lead, closed.Left)
	default:
		fmt.Fprintf(e.stdout, "%s is closed: it is never offered again. Its personal details are kept.\n", closed.Lead)
	}
}
