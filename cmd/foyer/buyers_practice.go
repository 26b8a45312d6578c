package main

import (
	"fmt"

	"foyer/internal/config"
	"foyer/internal/operator"
)

type buyersPractice struct {
	operatorFlags
}

// Help says what it is for.
func (*buyersPractice) Help() string {
	return "The practice buyer is for trying the service without another machine. It covers every service everywhere, but only for phone numbers that are reserved for fiction (555-0100 to 555-0199 in any area code), " +
		"so that no person's request goes to it and the public is told of no coverage. The service itself answers for it; nothing is sent. It is asked last, pays nothing, and is active at once. There is one at most."
}

// Run adds a practice buyer. Like add, it creates the database if there is none.
func (c *buyersPractice) Run(e env) error {
	return withNewOperator(e, c.Data, config.Network{}, func(op *operator.Operator) error {
		b, err := op.StartPractice(e.ctx, e.by)
		if err != nil {
			return err
		}
		return c.printChanged(e, op, b.ID, fmt.Sprintf("%s (%s) is active. Send a request with a phone number such as 305-555-0123, and it takes the lead. When you have seen enough: foyer buyers remove %s", b.ID, b.Terms.Name, b.ID))
	})
}
