package buyers

import (
	"errors"
	"fmt"
	"io"

	"foyer/cmd/foyer/cli"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
	"foyer/internal/report"
)

// Route explains which buyers would be asked about a lead.
type Route struct {
	cli.OperatorFlags
	Service string `placeholder:"SERVICE" help:"The service, such as hvac."`
	ZIP     string `name:"zip" placeholder:"ZIP" help:"The ZIP code, such as 33139."`
	Lead    string `placeholder:"LEAD-ID" help:"A stored lead, with its history, instead of a service and a ZIP code."`
}

// AfterApply requires either a lead, or a service and a ZIP code.
func (c *Route) AfterApply() error {
	if c.Lead != "" {
		if c.Service != "" || c.ZIP != "" {
			return errors.New("--lead: a lead has its own service and ZIP code: leave --service and --zip out")
		}
		return nil
	}
	service, err := entered.Service(c.Service)
	if err != nil {
		return fmt.Errorf("--service: %w", err)
	}
	zip, ok := lead.ZIP(c.ZIP)
	if !ok {
		return fmt.Errorf("--zip: %q is not a ZIP code: write five digits such as 33139", c.ZIP)
	}
	c.Service, c.ZIP = string(service), zip
	return nil
}

// Run explains which buyers would be asked.
func (c *Route) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) (err error) {
		var r query.Route
		if c.Lead != "" {
			r, err = op.RouteLead(e.Ctx, c.Lead)
		} else {
			r, err = op.Route(e.Ctx, lead.Service(c.Service), c.ZIP)
		}
		if err != nil {
			return err
		}
		return e.Print(c.JSON, report.Route(r), func(w io.Writer) error { return report.PrintRoute(w, r) })
	})
}
