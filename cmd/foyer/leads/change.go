package leads

import (
	"errors"
	"fmt"
	"time"

	"foyer/cmd/foyer/cli"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/report"
	"foyer/internal/wire"
)

type leadsRelease struct {
	cli.OperatorFlags
	ID string `arg:"" name:"lead-id" help:"The lead's id."`
}

// Run releases a lead in error, or a held one.
func (c *leadsRelease) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) error {
		l, err := op.Release(e.Ctx, e.By, c.ID)
		if err != nil {
			return err
		}
		text := "no buyer covers it now, so it is held"
		if l.Status == lead.Received {
			text = "buyers that cover it are asked now"
		}
		return e.Print(c.JSON, wire.Object{{"lead_id", l.ID}, {"status", l.Status}}, cli.Sentence("%s is %s: %s.", l.ID, l.Status, text))
	})
}

type leadsReplay struct {
	cli.OperatorFlags
	ID     string   `arg:"" optional:"" name:"lead-id" help:"The lead's id."`
	From   cli.Time `placeholder:"TIME" help:"All leads in error received from this time on: 2026-11-05, '2026-11-05 08:30' (UTC) or RFC 3339."`
	To     cli.Time `placeholder:"TIME" help:"Received before this time. Default: now."`
	DryRun bool     `name:"dry-run" help:"Only show what would be sent."`
}

// AfterApply requires a lead or a range of time.
func (c *leadsReplay) AfterApply() error {
	switch {
	case c.ID == "" && c.From.IsZero():
		return errors.New("name a lead, or a range of time with --from and --to")
	case c.ID != "" && (!c.From.IsZero() || !c.To.IsZero() || c.DryRun):
		return errors.New("name a lead, or a range of time with --from, --to and --dry-run, not both")
	case !c.To.IsZero() && !c.From.Before(c.To.Time):
		return errors.New("--to: the range ends before it begins: write a later time")
	}
	return nil
}

// Run sends leads in error to the same buyer again.
func (c *leadsReplay) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) error {
		if c.ID == "" {
			return c.replayAll(e, op)
		}
		r, err := op.Replay(e.Ctx, e.By, c.ID)
		if err != nil {
			return err
		}
		return e.Print(c.JSON, report.Replayed(r), cli.Sentence("%s is being sent to %s again, as the same message (%s).", r.Lead, r.Buyer, r.Offer))
	})
}

func (c *leadsReplay) replayAll(e cli.Env, op *operator.Operator) error {
	if c.To.IsZero() {
		c.To.Time = time.Now()
	}
	all, err := op.ReplayAll(e.Ctx, e.By, c.From.Time, c.To.Time, c.DryRun)
	if err != nil {
		return err
	}
	left, done := 0, "sent again"
	if c.DryRun {
		done = "would be sent again"
	}
	if c.JSON || len(all) > 0 {
		err = cli.PrintList(e, c.JSON, all, report.Replayed, "LEAD\tBUYER\tWHAT", func(r operator.Replayed) []any {
			if r.Left == "" {
				return []any{r.Lead, r.Buyer, done}
			}
			left++
			return []any{r.Lead, r.Buyer, "not sent: " + r.Left}
		})
	}
	if err != nil || c.JSON {
		return err
	}
	_, err = fmt.Fprintf(e.Stdout, "Leads in error: %d; %s: %d; not sent: %d.\n", len(all), done, len(all)-left, left)
	return err
}

type leadsClose struct {
	cli.OperatorFlags
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
	return err
}

// Run closes each lead in its own transaction.
func (c *leadsClose) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) error {
		left := 0
		for _, id := range c.IDs {
			closed, err := op.CloseLead(e.Ctx, e.By, id, c.Why)
			if err != nil {
				return err
			}
			if closed.Left != "" {
				left++
			}
			if err := c.print(e, closed); err != nil {
				return err
			}
		}
		if left > 0 {
			return fmt.Errorf("leads not closed: %d of %d", left, len(c.IDs))
		}
		return nil
	})
}

func (c *leadsClose) print(e cli.Env, closed operator.Closed) error {
	switch {
	case c.JSON:
		return e.PrintLine(wire.Object{{"lead_id", closed.Lead}, {"closed", closed.Left == ""}, {"left_because", wire.OrNull(closed.Left)}})
	case closed.Left != "":
		return cli.Sentence("%s was not closed: %s.", closed.Lead, closed.Left)(e.Stdout)
	}
	return cli.Sentence("%s is closed: it is never offered again. Its personal details are kept.", closed.Lead)(e.Stdout)
}
