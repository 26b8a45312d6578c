package buyers

import (
	"fmt"

	"foyer/cmd/foyer/cli"
	"foyer/internal/buyer"
	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/report"
	"foyer/internal/store"
)

// Returns are the commands about leads that buyers gave back.
type Returns struct {
	List    returnsList    `cmd:"" help:"List leads that buyers gave back: those that wait for you, the oldest first."`
	Approve returnsApprove `cmd:"" help:"Approve a return: the buyer gets its price back, and its place under the caps."`
	Deny    returnsDeny    `cmd:"" help:"Deny a return, and tell the buyer why."`
	Add     returnsAdd     `cmd:"" help:"Enter a return for a buyer."`
}

type returnsList struct {
	config.Data
	All   bool   `help:"List those that are decided, too, the newest first."`
	Buyer string `placeholder:"BUYER" help:"Only those of one buyer, by its name or id."`
	Limit int    `default:"100" help:"How many to list at most."`
	JSON  bool   `help:"Print one JSON object per line."`
}

// AfterApply validates the limit.
func (c *returnsList) AfterApply() error { return cli.CheckLimit(c.Limit, "returns") }

// Run lists returns.
func (c *returnsList) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) (err error) {
		f := store.ReturnFilter{State: buyer.ReturnWaiting, Limit: c.Limit}
		if c.All {
			f.State = ""
		}
		if c.Buyer != "" {
			if f.Buyer, err = op.Accounts().Find(e.Ctx, c.Buyer); err != nil {
				return err
			}
		}
		list, err := op.Returns(e.Ctx, f)
		if err != nil {
			return err
		}
		return cli.PrintList(e, c.JSON, list, report.Return, "OFFER\tBUYER\tRETURNED\tCODE\tPRICE\tSTATE\tREASON", report.ReturnRow)
	})
}

// returnFlags are the arguments and flags of every command about one return.
type returnFlags struct {
	cli.OperatorFlags
	Offer string `arg:"" name:"offer" help:"The id of the offer whose lead came back."`
}

func (c returnFlags) printDecided(e cli.Env, r buyer.Return) error {
	text := fmt.Sprintf("The return of %s is %s. The buyer is told.", r.Offer, r.State)
	if r.NotifyAt.IsZero() {
		text = fmt.Sprintf("The return of %s is %s. The buyer was removed, and is not told.", r.Offer, r.State)
	}
	if r.State == buyer.ReturnWaiting {
		text = fmt.Sprintf("The return of %s waits: foyer returns approve or deny decides it.", r.Offer)
	}
	return e.Print(c.JSON, report.DecidedReturn(r), cli.Sentence("%s", text))
}

type returnsApprove struct {
	returnFlags
	Note string `placeholder:"TEXT" help:"What the buyer is told about it: no personal details."`
}

// Run approves a return.
func (c *returnsApprove) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) error {
		r, err := op.ApproveReturn(e.Ctx, e.By, c.Offer, c.Note)
		if err != nil {
			return err
		}
		return c.printDecided(e, r)
	})
}

type returnsDeny struct {
	returnFlags
	Note string `required:"" placeholder:"TEXT" help:"Why, for the buyer: no personal details."`
}

// Run denies a return.
func (c *returnsDeny) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) error {
		r, err := op.DenyReturn(e.Ctx, e.By, c.Offer, c.Note)
		if err != nil {
			return err
		}
		return c.printDecided(e, r)
	})
}

type returnsAdd struct {
	returnFlags
	Code    returnCode `required:"" placeholder:"CODE" help:"bad_contact, duplicate, out_of_area, service_not_offered, consent or other."`
	Reason  string     `required:"" placeholder:"TEXT" help:"Why the lead comes back, in a few words."`
	Approve bool       `help:"Approve it at once."`
}

// returnCode is a code of returns on the command line.
type returnCode lead.ReturnCode

// UnmarshalText reads a code.
func (c *returnCode) UnmarshalText(text []byte) error {
	code, err := entered.ReturnCode(string(text))
	*c = returnCode(code)
	return err
}

// Run enters a return.
func (c *returnsAdd) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) error {
		r, err := op.AddReturn(e.Ctx, e.By, operator.ReturnInput{Offer: c.Offer, Code: lead.ReturnCode(c.Code), Reason: c.Reason, Approve: c.Approve})
		if err != nil {
			return err
		}
		return c.printDecided(e, r)
	})
}
