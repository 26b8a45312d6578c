package buyers

import (
	"errors"
	"fmt"

	"foyer/cmd/foyer/cli"
	"foyer/internal/app"
	"foyer/internal/buyer"
	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/report"
	"foyer/internal/webhook"
)

type buyersAdd struct {
	cli.OperatorFlags
	config.Network
	entered.Terms
	secretFlags
	Live   bool `xor:"state" help:"Skip the test: offer leads to it right away, held ones included."`
	Paused bool `xor:"state" help:"Add it paused: no leads until you resume it."`
}

// Help explains what comes next.
func (*buyersAdd) Help() string {
	return "A new buyer is in test and gets no leads. Give its secret to the buyer's engineer, try it with foyer buyers test, then make it active with foyer buyers start. " +
		"--live skips that, for scripts."
}

// newBuyer returns the buyer that the flags describe.
func (c *buyersAdd) newBuyer() operator.New {
	return operator.New{Terms: c.Terms, Secret: c.Secret, Live: c.Live, Paused: c.Paused}
}

// AfterApply reports everything wrong with the flags before anything is opened.
func (c *buyersAdd) AfterApply() error {
	fileErr := c.load()
	_, err := c.newBuyer().Check(app.BuyerURL(c.AllowPrivate), webhook.CheckSecret)
	problems, _ := errors.AsType[entered.Problems](err)
	for i := range problems {
		if problems[i].Term == "secret" {
			problems[i].Term = c.flag()
		}
	}
	if fileErr != nil {
		problems = append(problems, entered.FieldError{Term: "secret-file", Text: fileErr.Error()})
	}
	if len(problems) == 0 {
		return nil
	}
	return problems
}

type buyersEdit struct {
	buyerFlags
	config.Network
	entered.Terms
}

// AfterApply validates each value by itself; Edit checks them against the buyer's other terms.
func (c *buyersEdit) AfterApply() error {
	if c.Terms == (entered.Terms{}) {
		return errors.New("nothing to change: name at least one term, as in --priority 10")
	}
	return c.Terms.Check(app.BuyerURL(c.AllowPrivate))
}

// Run adds a buyer. It creates the database if there is none: buyers are best added before the first lead arrives, and
// adding a buyer in the wrong folder loses nothing, because the command prints that it created a database.
func (c *buyersAdd) Run(e cli.Env) error {
	return e.WithNewOperator(c.Data, c.Network, func(op *operator.Operator) error { return c.add(e, op) })
}

func (c *buyersAdd) add(e cli.Env, op *operator.Operator) error {
	b, secret, err := op.Add(e.Ctx, e.By, c.newBuyer())
	if err != nil {
		return err
	}
	state, next := report.State(b.State), "try it: foyer buyers test "+b.ID
	switch b.State {
	case buyer.Testing:
		state += ": no leads are offered to it yet"
		next += "\nWhen it is ready, start it: foyer buyers start " + b.ID
	case buyer.Active:
		state += ": it is live, and leads are offered to it now, held ones included"
		next = "" // the buyer is live: too late for a test
	}
	sentence := fmt.Sprintf("%s (%s) is %s. Services: %s. Area: %s.", b.ID, b.Terms.Name, state, report.Services(b.Terms.Services), entered.Area(b.Terms.Area))
	return printChanged(e, c.JSON, op, b.ID, sentence+c.nextSteps(secret, next), c.jsonMember(secret))
}

// Run changes a buyer's terms and prints the result.
func (c *buyersEdit) Run(e cli.Env) error {
	return c.withBuyer(e, c.Network, func(op *operator.Operator) error {
		if _, err := op.Edit(e.Ctx, e.By, c.ID, c.Terms); err != nil {
			return err
		}
		return c.show(e, op)
	})
}
