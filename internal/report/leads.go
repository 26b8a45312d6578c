// Package report is how operators read leads, buyers, routes and privacy requests: as JSON objects, and as text.
//
// It reads and formats. It decides nothing and changes nothing.
package report

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"text/tabwriter"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// Marks lists marks in words.
func Marks(marks []lead.Mark) string { return strings.Trim(fmt.Sprint(marks), "[]") }

// LeadFields lists what was requested, by whom, and how the request came in. cost is what its source is paid for it.
func LeadFields(l lead.Lead, consentText string, cost buyer.Cents) wire.Object {
	r, ev := l.Request, l.Evidence
	return append(wire.Object{
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
		{"source", wire.OrNull(l.Source)},
		{"cost_cents", centsOrNull(l, cost)},
		{"door", ev.Channel},
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
		{"source_key", wire.OrNull(ev.SourceKey)},
	}, attributionFields(l)...)
}

// centsOrNull is nil for a lead without a source.
func centsOrNull(l lead.Lead, cost buyer.Cents) *int64 {
	if l.Source == "" {
		return nil
	}
	return new(int64(cost))
}

// attributionFields lists what the address of the page said about where the person came from.
func attributionFields(l lead.Lead) wire.Object {
	c, clicks := l.Evidence.Campaign, l.Request.Contact.ClickIDs
	return wire.Object{
		{"utm_source", wire.OrNull(c.Source)},
		{"utm_medium", wire.OrNull(c.Medium)},
		{"utm_campaign", wire.OrNull(c.Name)},
		{"utm_term", wire.OrNull(c.Term)},
		{"utm_content", wire.OrNull(c.Content)},
		{"gclid", wire.OrNull(clicks.Google)},
		{"fbclid", wire.OrNull(clicks.Facebook)},
	}
}

// secondsOnPage is nil if no genuine form token says how long the form was open.
func secondsOnPage(ev lead.Evidence) *int {
	if !ev.FormToken.Genuine() {
		return nil
	}
	return &ev.SecondsOnPage
}

// Replayed is what became of a lead that was to be sent again, as JSON.
func Replayed(r operator.Replayed) wire.Object {
	return wire.Object{
		{"lead_id", r.Lead}, {"buyer_id", wire.OrNull(r.Buyer)}, {"offer_id", wire.OrNull(r.Offer)}, {"replayed", r.Left == ""}, {"left_because", wire.OrNull(r.Left)},
	}
}

// PrintFields prints one field per line and skips empty ones.
func PrintFields(w io.Writer, fields wire.Object) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, m := range fields {
		if text := FieldText(m[1]); text != "" {
			fmt.Fprintf(table, "%s\t%s\n", m[0], strings.ReplaceAll(text, "\n", "\n\t"))
		}
	}
	return table.Flush()
}

// FieldText is a value of an object as a person reads it.
func FieldText(v any) string {
	switch v := v.(type) {
	case []lead.Mark:
		return Marks(v)
	case []string:
		return strings.Join(v, ", ")
	case time.Time:
		return v.Format(time.RFC3339Nano) + terminal.Local(v)
	}
	if p := reflect.Indirect(reflect.ValueOf(v)); p.IsValid() { // not a nil pointer
		return fmt.Sprint(p)
	}
	return ""
}
