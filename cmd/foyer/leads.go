package main

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/store"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

type leads struct {
	List    leadsList    `cmd:"" help:"List the newest leads, without personal details."`
	Show    leadsShow    `cmd:"" help:"Show everything about a lead, including personal details and its timeline."`
	Erase   leadsErase   `cmd:"" help:"Erase who sent a lead: name, phone, email, street and notes, and the address, browser and page it came from."`
	Close   leadsClose   `cmd:"" help:"Take leads off the market for good. Personal details are kept."`
	Release leadsRelease `cmd:"" help:"Put a lead in error, or one that is held, on its way again."`
	Replay  leadsReplay  `cmd:"" help:"Send leads in error again to the buyer that accepted them."`
}

type leadsList struct {
	config.Data
	Limit  int         `default:"50" placeholder:"N" help:"How many to list (default: ${default})."`
	Status lead.Status `placeholder:"STATUS" enum:",received,forwarded,collected,call_to_connect,rejected,error" default:"" help:"Only leads with this status: received, forwarded, collected, call_to_connect, rejected or error."`
	JSON   bool        `help:"Print one JSON object per line."`
}

// AfterApply refuses a limit that lists nothing, or that SQLite and PostgreSQL understand differently.
func (c *leadsList) AfterApply() error {
	if c.Limit < 1 {
		return fmt.Errorf("--limit: %d is too few: write how many leads to list, at least 1", c.Limit)
	}
	return nil
}

// Run lists leads.
func (c *leadsList) Run(e env) error {
	var list []lead.Lead
	if err := withReader(e, c.Data, func(r *store.Reader) (err error) {
		p := terminal.NewProgress(e.stderr)
		defer p.End()
		list, err = r.NewestWatched(e.ctx, c.Limit, c.Status, watch(p)...)
		return err
	}); err != nil {
		return err
	}
	if c.JSON {
		for _, l := range list {
			fmt.Fprintf(e.stdout, "%s\n", wire.Marshal(leadRow(l)))
		}
		return nil
	}
	table := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "LEAD\tRECEIVED\tSERVICE\tZIP\tSTATUS\tVIA\tMARKS")
	for _, l := range list {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.ID, terminal.Time(l.CreatedAt),
			l.Request.Service, l.Request.ZIP, l.Status, l.Evidence.Door, joinMarks(l.Marks))
	}
	return table.Flush()
}

func leadRow(l lead.Lead) wire.Object {
	return wire.Object{
		{"lead_id", l.ID},
		{"created_at", l.CreatedAt},
		{"service_type", l.Request.Service},
		{"zip_code", l.Request.ZIP},
		{"status", l.Status},
		{"door", l.Evidence.Door},
		{"marks", l.Marks},
	}
}

func joinMarks(marks []lead.Mark) string { return strings.Trim(fmt.Sprint(marks), "[]") }

type leadsShow struct {
	config.Data
	ID   string `arg:"" name:"id" help:"The lead's id, the id that a buyer has for it, or that of an offer."`
	JSON bool   `help:"Print one JSON object."`
}

// Run shows one lead.
func (c *leadsShow) Run(e env) error {
	return withReader(e, c.Data, func(r *store.Reader) error {
		id, err := r.LeadOf(e.ctx, c.ID)
		if err != nil {
			return err
		}
		l, err := r.Lead(e.ctx, id)
		if err != nil {
			return err
		}
		consent := ""
		if l.Evidence.Consent.Hash != "" {
			if consent, err = r.ConsentText(e.ctx, l.Evidence.Consent.Hash); err != nil {
				return err
			}
		}
		past, err := readTimeline(e.ctx, r, l)
		if err != nil {
			return err
		}
		fields := leadFields(l, consent)
		if c.JSON {
			_, err := e.stdout.Write(wire.MarshalIndent(append(fields, past.members()...)))
			return err
		}
		return errors.Join(printFields(e, fields), printTimeline(e.stdout, past))
	})
}

type leadsErase struct {
	config.Data
	ID string `arg:"" name:"lead-id" help:"The lead's id, or the id that a buyer has for it."`
}

// Run erases the personal details of a lead. That closes the lead, because no one could be contacted anymore.
func (c *leadsErase) Run(e env) error {
	return withOperator(e, c.Data, config.Network{}, func(op *operator.Operator) error {
		id, err := op.Erase(e.ctx, e.by, c.ID)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(e.stdout, id, "holds no personal details anymore.")
		return err
	})
}

// leadFields lists what was requested, by whom, and how the request came in.
func leadFields(l lead.Lead, consentText string) wire.Object {
	r, ev := l.Request, l.Evidence
	return wire.Object{
		{"lead_id", l.ID},
		{"status", l.Status},
		{"created_at", l.CreatedAt},
		{"updated_at", l.UpdatedAt},
		{"marks", l.Marks},
		{"service_type", r.Service},
		{"zip_code", r.ZIP},
		{"city", wire.OrNull(r.City)},
		{"state", wire.OrNull(r.State)},
		{"home_type", wire.OrNull(r.Home.Type)},
		{"bedrooms", r.Home.Bedrooms},
		{"bathrooms", r.Home.Bathrooms},
		{"square_feet", r.Home.SquareFeet},
		{"frequency", r.Frequency},
		{"preferred_date", wire.OrNull(r.PreferredDate)},
		{"flexible_dates", r.FlexibleDates},
		{"customer_name", wire.OrNull(r.Contact.Name)},
		{"customer_phone", wire.OrNull(r.Contact.Phone)},
		{"customer_email", wire.OrNull(r.Contact.Email)},
		{"address_line", wire.OrNull(r.Contact.Street)},
		{"notes", wire.OrNull(r.Contact.Notes)},
		{"consent_to_contact", r.Consent},
		{"consent_version", wire.OrNull(ev.Consent.Version)},
		{"consent_hash", wire.OrNull(ev.Consent.Hash)},
		{"consent_text", wire.OrNull(consentText)},
		{"source_agent", wire.OrNull(r.SourceAgent)},
		{"door", ev.Door},
		{"client", wire.OrNull(ev.Client)},
		{"user_agent", wire.OrNull(ev.UserAgent)},
		{"page", wire.OrNull(ev.Page)},
		{"origin", wire.OrNull(ev.Origin)},
		{"sec_fetch_site", wire.OrNull(ev.FetchSite)},
		{"form_token", wire.OrNull(string(ev.FormToken))},
		{"seconds_on_page", secondsOnPage(ev)},
		{"page_version", wire.OrNull(ev.PageVersion)},
		{"mcp_client", wire.OrNull(ev.MCPClient)},
		{"request_id", wire.OrNull(ev.RequestID)},
	}
}

// secondsOnPage is nil if no genuine form token says how long the form was open.
func secondsOnPage(ev lead.Evidence) *int {
	if !ev.FormToken.Genuine() {
		return nil
	}
	return &ev.SecondsOnPage
}

// printFields prints one field per line and skips empty ones.
func printFields(e env, fields wire.Object) error {
	table := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	for _, m := range fields {
		if text := fieldText(m[1]); text != "" {
			fmt.Fprintf(table, "%s\t%s\n", m[0], strings.ReplaceAll(text, "\n", "\n\t"))
		}
	}
	return table.Flush()
}

func fieldText(v any) string {
	switch v := v.(type) {
	case *int:
		if v == nil {
			return ""
		}
		return fmt.Sprint(*v)
	case *string:
		if v == nil {
			return ""
		}
		return *v
	case *float64:
		if v == nil {
			return ""
		}
		return fmt.Sprint(*v)
	case []lead.Mark:
		return joinMarks(v)
	case time.Time:
		return v.Format(time.RFC3339Nano) + terminal.Local(v)
	}
	return fmt.Sprint(v)
}
