package buyers

import (
	"errors"
	"fmt"
	"io"

	"foyer/cmd/foyer/cli"
	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/report"
)

type buyersTry struct {
	buyerFlags
	config.Network
	Service string `placeholder:"SERVICE" help:"The service to test with, such as hvac. Default: one that the buyer takes."`
	ZIP     string `name:"zip" placeholder:"ZIP" help:"The ZIP code to test with, such as 33139. Default: one that the buyer covers."`
	Deliver bool   `help:"If the buyer accepts the test offer, send it the made-up contact, too."`
}

// Help explains what is sent and what it leads to.
func (*buyersTry) Help() string {
	return "The messages are signed like real ones, marked \"test\": true, and entirely made up. Nothing follows from the answer, and nothing is stored. " +
		"The output shows how the answer is understood and, if it is not, exactly why. Exits 1 if the answer is no decision, or if the delivery is not acknowledged."
}

// AfterApply validates the choices before anything is sent.
func (c *buyersTry) AfterApply() error {
	if c.Service != "" {
		services, err := entered.Services(c.Service)
		if err == nil && len(services) != 1 {
			err = errors.New("write one service")
		}
		if err != nil {
			return fmt.Errorf("--service: %w", err)
		}
		c.Service = string(services[0])
	}
	if _, ok := lead.ZIP(c.ZIP); c.ZIP != "" && !ok {
		return fmt.Errorf("--zip: %q is not a ZIP code: write five digits such as 33139", c.ZIP)
	}
	return nil
}

var errNoAnswer = errors.New("the buyer gave no answer that can be used")

// Run sends test messages and prints the answers.
func (c *buyersTry) Run(e cli.Env) error {
	return c.withBuyer(e, c.Network, func(op *operator.Operator) error {
		result, err := op.Try(e.Ctx, c.ID, operator.Test{Service: lead.Service(c.Service), ZIP: c.ZIP, Deliver: c.Deliver})
		if err != nil {
			return err
		}
		err = e.Print(c.JSON, report.Test(result), func(w io.Writer) error { return report.PrintTest(w, result) })
		if err == nil && !result.Usable() {
			err = errNoAnswer
		}
		return err
	})
}
