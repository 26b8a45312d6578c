package leads

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"foyer/cmd/foyer/cli"
	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// Privacy are the commands about privacy requests.
type Privacy struct {
	List   privacyList `cmd:"" help:"List open privacy requests, without phone numbers."`
	Show   privacyShow `cmd:"" help:"Show a privacy request, the leads it concerns, and the commands that fulfill it."`
	Settle privacyDone `cmd:"" aliases:"done" help:"Mark a privacy request as settled and delete its phone number."`
}

type privacyList struct {
	config.Data
	All  bool `help:"Include settled ones."`
	JSON bool `help:"Print one JSON object per line."`
}

// Run lists privacy requests, the one that has waited longest first.
func (c *privacyList) Run(e cli.Env) error {
	return e.WithReader(c.Data, func(tx *store.Tx) error {
		list, err := tx.PrivacyRequests().List(c.All)
		if err != nil {
			return err
		}
		held, err := tx.LegalHolds().Persons()
		if err != nil {
			return err
		}
		contacts := make(map[string]report.Contact)
		for _, r := range list {
			if contacts[r.LeadID], err = report.ReadContact(tx, r.LeadID); err != nil {
				return err
			}
		}
		return cli.PrintList(e, c.JSON, list, func(r lead.PrivacyRequest) wire.Object {
			return report.PrivacyRow(r, contacts[r.LeadID], r.KeptOpenBy(held))
		},
			"REQUEST\tRECEIVED\tDUE\tKIND\tLEAD\tSTATE\tCONTACT", func(r lead.PrivacyRequest) []any {
				due := "-"
				if r.State == lead.PrivacyOpen {
					due = terminal.Time(r.DueAt())
				}
				state := string(r.State)
				if len(r.KeptOpenBy(held)) > 0 {
					state += ", legal hold"
				}
				return []any{r.ID, terminal.Time(r.At), due, r.Kind, cmp.Or(r.LeadID, "-"), state, cmp.Or(contacts[r.LeadID].String(), "-")}
			})
	})
}

type privacyShow struct {
	config.Data
	ID   string `arg:"" name:"request-id" help:"The id of the privacy request."`
	JSON bool   `help:"Print one JSON object."`
}

// Run shows a privacy request and what it takes to fulfill it.
func (c *privacyShow) Run(e cli.Env) error {
	return e.WithReader(c.Data, func(tx *store.Tx) error {
		rc, err := report.ReadPrivacyCase(tx, c.ID)
		if err != nil {
			return err
		}
		return e.Print(c.JSON, rc.Object(databaseArg(c.Data)), func(w io.Writer) error { return rc.Print(w, databaseArg(c.Data)) })
	})
}

// databaseArg names a database for a shell, without a password.
func databaseArg(d config.Data) string {
	if strings.HasPrefix(string(d.Database), "sqlite:") {
		return "'" + d.Database.String() + "'"
	}
	return `"$FOYER_DATABASE"`
}

type privacyDone struct {
	config.Data
	ID   string `arg:"" name:"request-id" help:"The id of the privacy request."`
	Note string `placeholder:"TEXT" help:"How it was settled, or why not."`
}

// Run settles a privacy request.
func (c *privacyDone) Run(e cli.Env) error {
	return e.WithoutKeys(c.Data, func(op *operator.Operator) error {
		if err := op.SettlePrivacyRequest(e.Ctx, e.By, c.ID, c.Note); err != nil {
			return err
		}
		_, err := fmt.Fprintln(e.Stdout, c.ID, "is settled. Its phone number was deleted.")
		return err
	})
}
