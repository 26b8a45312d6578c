package report

import (
	"cmp"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/operator/sources"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// Source is a source as JSON.
func Source(s sources.Summary) wire.Object {
	t := s.Terms
	return wire.Object{
		{"source", s.Key},
		{"name", t.Name},
		{"state", s.State},
		{"hold", t.Hold},
		{"cost_cents", int64(t.Cost)},
		{"cap_day", orNull(t.CapDay)},
		{"cap_month", orNull(t.CapMonth)},
		{"origins", t.Origins},
		{"consent_text", wire.OrNull(t.Consent)},
		{"consent_version", consentVersion(s)},
		{"created_at", s.CreatedAt},
		{"updated_at", s.UpdatedAt},
		{"month_received", s.Month.Received},
		{"month_sold", s.Month.Outcomes[buyer.OutcomeSold]},
		{"month_revenue_cents", int64(s.Month.Revenue)},
		{"month_cost_cents", int64(s.Month.Cost)},
		{"month_margin_cents", int64(s.Month.Margin())},
	}
}

// orNull returns a cap, or nil for none.
func orNull(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

func consentVersion(s sources.Summary) *string {
	if s.Terms.Consent == "" {
		return nil
	}
	return new(s.ConsentShown().Version)
}

// SourceFields lists what people want to know about a source. Links begin with base.
func SourceFields(s sources.Summary, base string) wire.Object {
	t := s.Terms
	state := string(s.State)
	if t.Hold {
		state += ", and requests that name it are held"
	}
	fields := wire.Object{
		{"source", s.Key},
		{"name", terminal.OneLine(t.Name)},
		{"state", state},
		{"cost for each lead", t.Cost},
		{"leads paid for", SourceCaps(s)},
		{"origins", cmp.Or(strings.Join(t.Origins, ", "), "all")},
		{"consent wording", cmp.Or(t.Consent, "the usual one")},
	}
	if v := consentVersion(s); v != nil {
		fields = append(fields, wire.Member{"consent version", *v})
	}
	return append(fields, wire.Object{
		{"link to the form", base + "/?source=" + s.Key},
		{"header for programs", "Foyer-Source: " + s.Key},
		{"leads this month", terminal.Number(s.Month.Received)},
		{"sold", terminal.Number(s.Month.Outcomes[buyer.OutcomeSold])},
		{"revenue", s.Month.Revenue},
		{"cost", s.Month.Cost},
		{"margin", s.Month.Margin()},
		{"created at", s.CreatedAt},
		{"updated at", s.UpdatedAt},
	}...)
}

// SourceCaps says how many leads of a source are paid for.
func SourceCaps(s sources.Summary) string {
	var caps []string
	if n := s.Terms.CapDay; n > 0 {
		caps = append(caps, terminal.Number(int64(n))+" a day")
	}
	if n := s.Terms.CapMonth; n > 0 {
		caps = append(caps, terminal.Number(int64(n))+" a month")
	}
	return cmp.Or(strings.Join(caps, ", "), "all")
}

// SourceHeadings are the headings of SourceRow.
const SourceHeadings = "SOURCE\tNAME\tSTATE\tPER LEAD\tPAID FOR\tLEADS THIS MONTH\tSOLD\tREVENUE\tCOST\tMARGIN"

// SourceRow is a source in a table.
func SourceRow(s sources.Summary) []any {
	return []any{
		s.Key, terminal.OneLine(s.Terms.Name), s.State, s.Terms.Cost, SourceCaps(s), terminal.Number(s.Month.Received), terminal.Number(s.Month.Outcomes[buyer.OutcomeSold]),
		s.Month.Revenue, s.Month.Cost, s.Month.Margin(),
	}
}
