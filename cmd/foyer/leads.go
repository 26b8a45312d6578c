package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"foyer/internal/app"
	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/wire"
)

type leads struct {
	List    leadsList    `cmd:"" help:"List the newest leads, without personal details."`
	Show    leadsShow    `cmd:"" help:"Show everything about one lead, personal details included, and what happened to it."`
	Erase   leadsErase   `cmd:"" help:"Forget who sent a lead: name, phone, e-mail, street and notes, and the address, browser and page it came from."`
	Close   leadsClose   `cmd:"" help:"Take leads out of sale for good, and keep their people."`
	Release leadsRelease `cmd:"" help:"Unlock a lead in error: whoever covers it may be asked."`
	Replay  leadsReplay  `cmd:"" help:"Send leads in error once more to the buyer that accepted them."`
}

type leadsList struct {
	config.Data
	Limit  int         `default:"50" placeholder:"N" help:"How many."`
	Status lead.Status `placeholder:"STATUS" enum:",received,forwarded,collected,call_to_connect,rejected,error" default:"" help:"Only leads with this status: received, forwarded, collected, call_to_connect, rejected or error."`
	JSON   bool        `help:"One JSON object a line, for programs."`
}

// AfterApply refuses a number that lists nothing, or that the engines understand differently.
func (c *leadsList) AfterApply() error {
	if c.Limit < 1 {
		return fmt.Errorf("--limit: %d is too few: write how many leads to list, at least 1", c.Limit)
	}
	return nil
}

// Run lists leads.
func (c *leadsList) Run(s stage) error {
	reader, err := store.OpenReader(s.ctx, string(c.Database))
	if err != nil {
		return err
	}
	defer reader.Close()
	list, err := reader.Newest(s.ctx, c.Limit, c.Status)
	if err != nil {
		return err
	}
	if c.JSON {
		for _, l := range list {
			fmt.Fprintf(s.stdout, "%s\n", wire.Marshal(row(l)))
		}
		return nil
	}
	table := tabwriter.NewWriter(s.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "LEAD\tTAKEN IN (UTC)\tSERVICE\tZIP\tSTATUS\tDOOR\tMARKS")
	for _, l := range list {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.ID, l.CreatedAt.Format(time.DateTime),
			l.Request.Service, l.Request.ZIP, l.Status, l.Evidence.Door, joined(l.Marks))
	}
	return table.Flush()
}

func row(l lead.Lead) wire.Object {
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

func joined(marks []lead.Mark) string { return strings.Trim(fmt.Sprint(marks), "[]") }

type leadsShow struct {
	config.Data
	ID   string `arg:"" name:"id" help:"The lead's id, or that of an offer: buyers know leads by their offers."`
	JSON bool   `help:"One JSON object, for programs."`
}

// Run shows one lead.
func (c *leadsShow) Run(s stage) error {
	reader, err := store.OpenReader(s.ctx, string(c.Database))
	if err != nil {
		return err
	}
	defer reader.Close()
	l, err := c.find(s.ctx, reader)
	if err != nil {
		return err
	}
	consent := ""
	if l.Evidence.Consent.Hash != "" {
		if consent, err = reader.ConsentText(s.ctx, l.Evidence.Consent.Hash); err != nil {
			return err
		}
	}
	past, err := readTimeline(s.ctx, reader, l)
	if err != nil {
		return err
	}
	sheet := describe(l, consent)
	if c.JSON {
		fmt.Fprintf(s.stdout, "%s", wire.MarshalIndent(append(sheet, past.members()...)))
		return nil
	}
	return errors.Join(printSheet(s, sheet), printTimeline(s.stdout, past))
}

// find goes by the id of a lead, or by that of an offer.
func (c *leadsShow) find(ctx context.Context, reader *store.Reader) (l lead.Lead, err error) {
	id := c.ID
	if strings.HasPrefix(id, "offer_") {
		if id, err = reader.LeadOf(ctx, id); err != nil {
			return l, err
		}
	}
	return reader.Lead(ctx, id)
}

type leadsErase struct {
	config.Data
	ID string `arg:"" name:"lead-id" help:"The lead's id."`
}

// Run erases the personal details of a lead. It is closed with that: nobody could be contacted any more.
func (c *leadsErase) Run(s stage) error {
	operator, err := app.OpenDesk(s.ctx, c.Data, false)
	if err != nil {
		return err
	}
	err = operator.Erase(s.ctx, c.ID, lead.Change{At: time.Now(), Status: lead.Rejected, Actor: lead.ByOperator, Reason: "personal details erased"})
	if err == nil {
		fmt.Fprintln(s.stdout, c.ID, "holds no personal details any more.")
	}
	return errors.Join(err, operator.Close())
}

// describe lays a lead out: what was asked, who asked, and how it came.
func describe(l lead.Lead, consentText string) wire.Object {
	r, e := l.Request, l.Evidence
	return wire.Object{
		{"lead_id", l.ID},
		{"status", l.Status},
		{"created_at", l.CreatedAt},
		{"updated_at", l.UpdatedAt},
		{"marks", l.Marks},
		{"service_type", r.Service},
		{"zip_code", r.ZIP},
		{"city", orNull(r.City)},
		{"state", orNull(r.State)},
		{"home_type", orNull(r.Home.Type)},
		{"bedrooms", r.Home.Bedrooms},
		{"bathrooms", r.Home.Bathrooms},
		{"square_feet", r.Home.SquareFeet},
		{"frequency", r.Frequency},
		{"preferred_date", orNull(r.PreferredDate)},
		{"flexible_dates", r.FlexibleDates},
		{"customer_name", orNull(r.Contact.Name)},
		{"customer_phone", orNull(r.Contact.Phone)},
		{"customer_email", orNull(r.Contact.Email)},
		{"address_line", orNull(r.Contact.Street)},
		{"notes", orNull(r.Contact.Notes)},
		{"consent_to_contact", r.Consent},
		{"consent_version", orNull(e.Consent.Version)},
		{"consent_hash", orNull(e.Consent.Hash)},
		{"consent_text", orNull(consentText)},
		{"source_agent", orNull(r.SourceAgent)},
		{"door", e.Door},
		{"client", orNull(e.Client)},
		{"user_agent", orNull(e.UserAgent)},
		{"page", orNull(e.Page)},
		{"origin", orNull(e.Origin)},
		{"sec_fetch_site", orNull(e.FetchSite)},
		{"mcp_client", orNull(e.MCPClient)},
		{"request_id", orNull(e.RequestID)},
	}
}

// printSheet prints what is known, one line each; what was not given is left out.
func printSheet(s stage, sheet wire.Object) error {
	table := tabwriter.NewWriter(s.stdout, 0, 0, 2, ' ', 0)
	for _, m := range sheet {
		if text := plain(m[1]); text != "" {
			fmt.Fprintf(table, "%s\t%s\n", m[0], strings.ReplaceAll(text, "\n", "\n\t"))
		}
	}
	return table.Flush()
}

func plain(v any) string {
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
		return joined(v)
	case time.Time:
		return v.Format(time.RFC3339Nano)
	}
	return fmt.Sprint(v)
}
