package operators

import (
	"cmp"
	"encoding/json"
	"fmt"

	"foyer/cmd/foyer/cli"
	"foyer/internal/app"
	"foyer/internal/audit"
	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// Audit lists who changed what.
type Audit struct {
	config.Data
	Since   cli.Time `placeholder:"TIME" help:"Only what happened since: 2026-11-05, '2026-11-05 08:30' (UTC) or RFC 3339."`
	Actor   string   `placeholder:"ACTOR" help:"Only what this actor did: cli:USER, token:ID, buyer:ID, person (on the privacy page) or system."`
	Subject string   `placeholder:"ID" help:"Only what was done to this lead, buyer or privacy request, or to this suppressed phone number."`
	Limit   int      `default:"50" placeholder:"N" help:"How many to list (default: ${default})."`
	JSON    bool     `help:"Print one JSON object per line."`
}

// Help explains what the list holds, and what it does not.
func (*Audit) Help() string {
	return "Every change is listed with who made it, newest first: commands, programs with tokens (also what they read of persons), leads that buyers return, privacy requests, and what the service does by itself. " +
		"The list holds no personal details and no secrets, and the reasons you type are not in it. A suppressed phone number is stored as a keyed index: " +
		"with the key file of the database, --subject finds it by the number. Entries are kept for five years."
}

// AfterApply refuses a limit that lists nothing.
func (c *Audit) AfterApply() error {
	return cli.CheckLimit(c.Limit, "entries")
}

// Run lists the audit trail.
func (c *Audit) Run(e cli.Env) error {
	filter := store.AuditFilter{Since: c.Since.Time, Actor: audit.Actor(c.Actor), Subject: c.Subject, Limit: c.Limit}
	if phone, ok := lead.Phone(c.Subject); ok {
		index, err := app.PhoneIndex(c.Data, phone)
		if err != nil {
			return fmt.Errorf("--subject: a phone number is found by its keyed index: %w", err)
		}
		filter.Subject = index
	}
	return e.WithReader(c.Data, func(tx *store.Tx) error {
		list, err := tx.Audit(filter)
		if err != nil {
			return err
		}
		return cli.PrintList(e, c.JSON, list, auditRow, "TIME\tACTOR\tACTION\tSUBJECT\tDETAIL", func(entry audit.Entry) []any {
			return []any{terminal.Time(entry.At), entry.Actor, entry.Action, cmp.Or(entry.Subject, "-"), detailText(entry)}
		})
	})
}

func auditRow(entry audit.Entry) wire.Object {
	return wire.Object{
		{"seq", entry.Seq}, {"at", entry.At}, {"actor", entry.Actor}, {"action", entry.Action}, {"subject", wire.OrNull(entry.Subject)}, {"detail", json.RawMessage(detailText(entry))},
	}
}

// detailText is the detail as JSON, always in the same order.
func detailText(entry audit.Entry) string {
	text, err := entry.Detail.JSON()
	if err != nil {
		panic(err) // it was read from JSON
	}
	return text
}
