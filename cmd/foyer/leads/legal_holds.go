package leads

import (
	"fmt"
	"strings"

	"foyer/cmd/foyer/cli"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/report"
	"foyer/internal/store"
)

// LegalHolds are the commands about legal holds.
type LegalHolds struct {
	Add    legalHoldsAdd    `cmd:"" help:"Put leads under a legal hold: until it is removed, nothing of them is erased."`
	List   legalHoldsList   `cmd:"" help:"List the legal holds, oldest first."`
	Remove legalHoldsRemove `cmd:"" help:"Remove a legal hold. It stays on record."`
}

type legalHoldsAdd struct {
	cli.OperatorFlags
	IDs []string `arg:"" name:"lead-id" help:"The ids of the leads. foyer leads list --phone finds those of a person."`
	Why string   `required:"" placeholder:"TEXT" help:"Which claim or investigation: at most 100 characters, no personal details."`
}

// Help explains what a legal hold does, and what it does not.
func (*legalHoldsAdd) Help() string {
	return "For claims and investigations: after a demand letter, put the leads concerned under a legal hold. Until it is removed, foyer leads erase refuses them, a privacy request to erase their person stays open, " +
		"and the audit trail keeps what is about them. Their status stays as it is: a lead on the market stays there until you close it, and foyer suppress works as before. " +
		"A lead can be under several holds, one for each matter. The text is kept for good, so write no name, phone number or email address in it: the number of a matter is fine."
}

// AfterApply validates the reason before anything is opened.
func (c *legalHoldsAdd) AfterApply() (err error) {
	c.Why, err = operator.Reason(c.Why)
	return err
}

// Run puts each lead under a hold of its own.
func (c *legalHoldsAdd) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) error {
		for _, id := range c.IDs {
			added, err := op.AddLegalHold(e.Ctx, e.By, id, c.Why)
			if err != nil {
				return fmt.Errorf("%s: %s", id, cli.ErrorText(err))
			}
			text := fmt.Sprintf("%s is under a legal hold now: %s. Its status stays as it is.", added.LeadID, added.ID)
			if added.Erased {
				text += " Nothing in it tells who the person is."
			}
			if len(added.Requests) > 0 {
				text += fmt.Sprintf(" Privacy requests that stay open: %s.", strings.Join(added.Requests, ", "))
			}
			if err := printLegalHold(e, c.JSON, added, text); err != nil {
				return err
			}
		}
		return nil
	})
}

func printLegalHold(e cli.Env, asJSON bool, c operator.LegalHoldChange, text string) error {
	if asJSON {
		return e.PrintLine(report.LegalHoldChange(c))
	}
	return cli.Sentence("%s", text)(e.Stdout)
}

type legalHoldsList struct {
	cli.ListFlags
	All bool `help:"Include those that were removed."`
}

// Run lists legal holds.
func (c *legalHoldsList) Run(e cli.Env) error {
	return e.WithReader(c.Data, func(tx *store.Tx) error {
		list, err := tx.LegalHolds().List(c.All)
		if err != nil {
			return err
		}
		if len(list) == 0 && !c.JSON {
			return cli.Sentence("There are no legal holds.")(e.Stdout)
		}
		return cli.PrintList(e, c.JSON, list, report.LegalHold, report.LegalHoldHeadings, func(h lead.LegalHold) []any { return report.LegalHoldRow(h) })
	})
}

type legalHoldsRemove struct {
	cli.OperatorFlags
	ID  string `arg:"" name:"id" help:"The id of the hold, or that of a lead that is under one hold alone."`
	Why string `required:"" placeholder:"TEXT" help:"Why it is removed: at most 100 characters, no personal details."`
}

// Run removes a hold.
func (c *legalHoldsRemove) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) error {
		removed, err := op.RemoveLegalHold(e.Ctx, e.By, c.ID, c.Why)
		if err != nil {
			return err
		}
		text := fmt.Sprintf("%s is removed. %s can be erased again.", removed.ID, removed.LeadID)
		if len(removed.Others) > 0 {
			text = fmt.Sprintf("%s is removed. %s is still under a legal hold: %s.", removed.ID, removed.LeadID, strings.Join(lead.HoldIDs(removed.Others), ", "))
		}
		if len(removed.Requests) > 0 {
			text += fmt.Sprintf(" Privacy requests that waited for it: %s.", strings.Join(removed.Requests, ", "))
		}
		return printLegalHold(e, c.JSON, removed, text)
	})
}
