package main

import (
	"fmt"

	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/wire"
)

type leadsClose struct {
	operated
	IDs []string `arg:"" name:"lead-id" help:"The ids of the leads."`
	Why string   `required:"" placeholder:"TEXT" help:"Why, for anyone who looks at the lead: at most 100 characters, no personal details."`
}

// Help tells what closing is for, and what becomes of the reason.
func (*leadsClose) Help() string {
	return "For leads that were sold elsewhere or must not be sold, for example after restoring a backup. A closed lead is rejected: it is never offered again and cannot be reopened. " +
		"Only leads that are received or collected can be closed, and only if no buyer may have the contact. " +
		"The reason stays when the lead is erased, so do not put a name, phone number or address in it; ids of buyers and offers are fine. " +
		"Each lead gets a line of its own. If any lead could not be closed, the exit code is 1; the others are closed."
}

// AfterApply stops before anything is opened where the reason is wrong.
func (c *leadsClose) AfterApply() (err error) {
	c.Why, err = operator.Reason(c.Why)
	return flagged(err)
}

// Run closes leads, each on its own.
func (c *leadsClose) Run(s env) error {
	return atDesk(s, c.Data, config.Network{}, func(d *operator.Operator) error {
		left := 0
		for _, id := range c.IDs {
			closed, err := d.CloseLead(s.ctx, id, c.Why)
			if err != nil {
				return err
			}
			if closed.Left != "" {
				left++
			}
			c.tell(s, closed)
		}
		if left > 0 {
			return fmt.Errorf("leads not closed: %d of %d", left, len(c.IDs))
		}
		return nil
	})
}

func (c *leadsClose) tell(s env, x operator.Closed) {
	switch {
	case c.JSON:
		fmt.Fprintf(s.stdout, "%s\n", wire.Marshal(wire.Object{{"lead_id", x.Lead}, {"closed", x.Left == ""}, {"left_because", orNull(x.Left)}}))
	case x.Left != "":
		fmt.Fprintf(s.stdout, "%s was not closed: %s.\n", x.Lead, x.Left)
	default:
		fmt.Fprintf(s.stdout, "%s is closed: it is never offered again. Its personal details are kept.\n", x.Lead)
	}
}
