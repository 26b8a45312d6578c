package main

import (
	"fmt"

	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/wire"
)

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
