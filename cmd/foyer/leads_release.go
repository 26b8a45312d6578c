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
	var all []operator.Replayed
	var err error
	if c.DryRun {
		all, err = op.WouldReplay(e.ctx, c.From.Time, to)
	} else {
		all, err = op.ReplayAll(e.ctx, e.by, c.From.Time, to)
	}
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
