package main

import (
	"errors"
	"fmt"
	"text/tabwriter"

	"foyer/internal/buyer"
	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/wire"
)

type route struct {
	operated
	Service string `placeholder:"SERVICE" help:"The service, such as hvac."`
	ZIP     string `name:"zip" placeholder:"ZIP" help:"The ZIP code, such as 33139."`
	Lead    string `placeholder:"LEAD-ID" help:"A stored lead, with its history, instead of a service and a ZIP code."`
}

// AfterApply wants one question or the other.
func (c *route) AfterApply() error {
	if c.Lead != "" {
		if c.Service != "" || c.ZIP != "" {
			return errors.New("--lead: a lead has its own service and ZIP code: leave --service and --zip out")
		}
		return nil
	}
	if _, err := operator.Service(c.Service); err != nil {
		return fmt.Errorf("--service: %w", err)
	}
	if _, ok := lead.ZIP(c.ZIP); !ok {
		return fmt.Errorf("--zip: %q is not a ZIP code: write five digits such as 33139", c.ZIP)
	}
	return nil
}

// Run explains who would be asked.
func (c *route) Run(s env) error {
	return atDesk(s, c.Data, config.Network{}, func(d *operator.Operator) error {
		r, err := c.find(s, d)
		if err != nil {
			return err
		}
		if c.JSON {
			_, err := s.stdout.Write(wire.MarshalIndent(routeObject(r)))
			return err
		}
		return printRoute(s, r)
	})
}

func (c *route) find(s env, d *operator.Operator) (operator.Route, error) {
	if c.Lead != "" {
		return d.RouteLead(s.ctx, c.Lead)
	}
	service, _ := operator.Service(c.Service)
	zip, _ := lead.ZIP(c.ZIP)
	return d.Route(s.ctx, service, zip)
}

func printRoute(s env, r operator.Route) error {
	fmt.Fprintf(s.stdout, "%s in %s%s\n", r.Service, r.ZIP, inState(r.ZIP))
	if r.Lead != nil {
		fmt.Fprintf(s.stdout, "%s is %s%s\n", r.Lead.ID, r.Lead.Status, onItsWay(r.Delivery))
	}
	switch {
	case r.Nobody != "":
		fmt.Fprintf(s.stdout, "No buyer is asked: %s.\n", r.Nobody)
		return nil
	case len(r.Stops) == 0:
		fmt.Fprintln(s.stdout, "No buyer is asked: there are none yet. Add one with foyer buyers add.")
		return nil
	case r.Lead != nil && r.Lead.Status == lead.Errored:
		fmt.Fprintln(s.stdout, "No buyer is asked: the lead is locked. If it is released:")
	}
	table := tabwriter.NewWriter(s.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ASKED\tBUYER\tNAME\tPRIORITY\tLAST ASKED\tWHY")
	for _, st := range r.Stops {
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%s\t%s\n", ordinal(st.Place), st.Buyer.ID, oneLine(st.Buyer.Terms.Name), st.Buyer.Terms.Priority, clock(st.Asked), because(st))
	}
	return table.Flush()
}

func inState(zip string) string {
	if state := buyer.StateOf(zip); state != "" {
		return " (" + state + ")"
	}
	return ""
}

// onItsWay says what is being done about a lead.
func onItsWay(e *buyer.Delivery) string {
	switch {
	case e == nil:
		return ""
	case e.Step == buyer.StepAsk && e.BuyerQueue == "":
		return ": it is about to look for a buyer"
	case e.Step == buyer.StepAsk:
		return ": it waits for its turn with " + e.BuyerQueue
	case e.Step == buyer.StepOffer:
		return fmt.Sprintf(": it is being offered to %s", e.BuyerQueue)
	}
	return fmt.Sprintf(": its contact is being delivered to %s, failed attempts: %d, next at %s", e.BuyerQueue, e.Attempts, clock(e.DueAt))
}

func because(st operator.Stop) string {
	x := st.Exclusion
	switch {
	case x.Rule == "" && st.Note != "":
		return "wants " + st.Note
	case x.Rule == "":
		return ""
	case x.Until.IsZero():
		return fmt.Sprintf("%s: %s", x.Rule, x.Reason)
	}
	return fmt.Sprintf("%s: %s, until %s", x.Rule, x.Reason, clock(x.Until))
}

func ordinal(n int) string {
	switch {
	case n == 0:
		return "no"
	case n%100/10 == 1:
	case n%10 == 1:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3:
		return fmt.Sprintf("%drd", n)
	}
	return fmt.Sprintf("%dth", n)
}

func routeObject(r operator.Route) wire.Object {
	stops := make([]wire.Object, 0, len(r.Stops))
	for _, st := range r.Stops {
		stops = append(stops, wire.Object{
			{"place", orNull(st.Place)},
			{"buyer_id", st.Buyer.ID},
			{"name", st.Buyer.Terms.Name},
			{"priority", st.Buyer.Terms.Priority},
			{"last_asked_at", orNever(st.Asked)},
			{"rule", orNull(st.Exclusion.Rule)},
			{"reason", orNull(st.Exclusion.Reason)},
			{"until", orNever(st.Exclusion.Until)},
			{"wants", orNull(st.Note)},
		})
	}
	o := wire.Object{{"service_type", r.Service}, {"zip_code", r.ZIP}, {"at", r.At}, {"nobody_because", orNull(r.Nobody)}, {"buyers", stops}}
	if r.Lead != nil {
		o = append(wire.Object{{"lead_id", r.Lead.ID}, {"status", r.Lead.Status}}, o...)
	}
	return o
}
