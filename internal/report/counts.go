package report

import (
	"fmt"
	"math"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/operator/query"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// The clocks of reports: which time decides where something counts.
const (
	WhenReceived        = "when leads were received"
	WhenReceivedByMonth = "by whole months, when leads were received"
	WhenOffered         = "when offers were made; answers when they came"
	WhenReturned        = "when leads came back"
)

// Counted adds to a row of a report which zone its days have, and its clock: a file is read without the page or the command that made it.
func Counted(row wire.Object, zone *time.Location, clock string) wire.Object {
	return append(row, wire.Member{"time_zone", zone.String()}, wire.Member{"clock", clock})
}

// CampaignCounts is a row of the report of campaigns, as JSON. key is what the campaign is called.
func CampaignCounts(key string, r query.LeadsRow) wire.Object {
	o := wire.Object{{key, r.Key}, {"received", r.Received}}
	for _, outcome := range buyer.Outcomes {
		o = append(o, wire.Member{string(outcome), r.Outcomes[outcome]})
	}
	return append(o, wire.Member{"demand", r.Demand()})
}

// CoverageCounts is a row of the report of coverage, as JSON. key says what its rows are: state or zip.
func CoverageCounts(key string, r query.LeadsRow) wire.Object {
	return append(CampaignCounts(key, r), wire.Member{"revenue_cents", int64(r.Revenue)})
}

// LeadCounts is a row of the report of leads, as JSON. key says what its rows are: day, month, service or source.
func LeadCounts(key string, r query.LeadsRow) wire.Object {
	return append(CampaignCounts(key, r), wire.Member{"revenue_cents", int64(r.Revenue)}, wire.Member{"cost_cents", int64(r.Cost)}, wire.Member{"margin_cents", int64(r.Margin())})
}

// The widths of names in tables, so that these fit 100 columns.
const (
	nameWidth     = 20
	campaignWidth = 40
)

// LeadCountsHeadings are the headings of LeadCountsRow, without the first. With costs there is no room for a bar, nor for all that is neither
// sold nor held.
func LeadCountsHeadings(costs bool) string {
	if costs {
		return "LEADS\tSOLD\tSHARE\tHELD\tOTHER\tREVENUE\tCOST\tMARGIN"
	}
	return "LEADS\tSOLD\tSHARE\tHELD\tWAITING\tCALLED\tERROR\tCLOSED\tREVENUE\t"
}

// LeadCountsRow is a row of the report of leads, in a table. most is the highest number of leads received in a row.
func LeadCountsRow(r query.LeadsRow, most int64, costs bool) []any {
	sold := r.Outcomes[buyer.OutcomeSold]
	cells := []any{r.Key, terminal.Number(r.Received), terminal.Number(sold), share(sold, r.Demand()), terminal.Number(r.Held())}
	if costs {
		return append(cells, terminal.Number(r.Received-sold-r.Held()), r.Revenue, r.Cost, r.Margin())
	}
	for _, o := range []buyer.Outcome{buyer.OutcomeWaiting, buyer.OutcomeCalled, buyer.OutcomeError, buyer.OutcomeClosed} {
		cells = append(cells, terminal.Number(r.Outcomes[o]))
	}
	return append(cells, r.Revenue, bar(r.Received, most))
}

// SourceCounts is a row of the report of sources, as JSON.
func SourceCounts(r query.LeadsRow) wire.Object {
	return append(append(wire.Object{{"source_name", r.Name}}, LeadCounts("source", r)...), wire.Member{"paid", r.Paid})
}

// SourceCountsHeadings are the headings of SourceCountsRow.
const SourceCountsHeadings = "SOURCE\tLEADS\tSOLD\tSHARE\tHELD\tREVENUE\tPAID FOR\tCOST\tMARGIN"

// SourceCountsRow is a row of the report of sources, in a table.
func SourceCountsRow(r query.LeadsRow) []any {
	return []any{
		terminal.Short(r.Name, nameWidth), terminal.Number(r.Received), terminal.Number(r.Outcomes[buyer.OutcomeSold]), share(r.Outcomes[buyer.OutcomeSold], r.Demand()), terminal.Number(r.Held()),
		r.Revenue, terminal.Number(r.Paid), r.Cost, r.Margin(),
	}
}

// CampaignCountsHeadings are the headings of CampaignCountsRow.
const CampaignCountsHeadings = "CAMPAIGN\tLEADS\tSOLD\tSHARE\tHELD\t"

// CampaignCountsRow is a row of the report of campaigns, in a table.
func CampaignCountsRow(r query.LeadsRow, most int64) []any {
	return []any{
		terminal.Short(r.Key, campaignWidth), terminal.Number(r.Received), terminal.Number(r.Outcomes[buyer.OutcomeSold]), share(r.Outcomes[buyer.OutcomeSold], r.Demand()), terminal.Number(r.Held()), bar(r.Received, most),
	}
}

// CoverageHeadings are the headings of CoverageRow, without the first.
const CoverageHeadings = "DEMAND\tSOLD\tUNCOVERED\tMONEY\tCAPS\tHOURS\tSILENT\tPAUSED\tDECLINED\tOTHER\tREVENUE"

// CoverageRow is a place in the report of coverage, in a table. There is no room for a bar; the places are sorted by their uncovered leads.
func CoverageRow(r query.LeadsRow) []any {
	cells, other := []any{r.Key, terminal.Number(r.Demand())}, r.Demand()
	for _, o := range []buyer.Outcome{buyer.OutcomeSold, buyer.OutcomeUncovered, buyer.OutcomeNoMoney, buyer.OutcomeCapped, buyer.OutcomeAfterHours, buyer.OutcomeUnanswered, buyer.OutcomePaused, buyer.OutcomeDeclined} {
		cells = append(cells, terminal.Number(r.Outcomes[o]))
		other -= r.Outcomes[o]
	}
	return append(cells, terminal.Number(other), r.Revenue)
}

// BuyerCounts is a row of the report of buyers, as JSON.
func BuyerCounts(r query.BuyersRow) wire.Object {
	declines := make(wire.Object, len(r.Declines))
	for i, d := range r.Declines {
		declines[i] = wire.Member{d.Code, d.Times}
	}
	c := r.Counts
	return wire.Object{
		{"buyer_id", r.Buyer.ID},
		{"buyer_name", r.Buyer.Terms.Name},
		{"offered", c.Offered},
		{"accepted", c.Accepted},
		{"accept_rate", rate(c.Accepted, c.Offered)},
		{"delivered", c.Delivered},
		{"failed", r.Failed},
		{"returned", c.Returned},
		{"charged_cents", int64(c.Charged)},
		{"credited_cents", int64(c.Credited)},
		{"revenue_cents", int64(c.Charged - c.Credited)},
		{"declines", declines},
	}
}

// BuyerCountsHeadings are the headings of BuyerCountsRow, and DeclinesHeadings those of DeclinesRows.
const (
	BuyerCountsHeadings = "BUYER\tOFFERED\tACCEPTED\t\tDELIVERED\tFAILED\tRETURNED\tREVENUE"
	DeclinesHeadings    = "BUYER\tDECLINED FOR\tTIMES"
)

// BuyerCountsRow is a row of the report of buyers, in a table.
func BuyerCountsRow(r query.BuyersRow) []any {
	c := r.Counts
	return []any{
		terminal.Short(r.Buyer.Terms.Name, nameWidth), terminal.Number(int64(c.Offered)), terminal.Number(int64(c.Accepted)), share(int64(c.Accepted), int64(c.Offered)),
		terminal.Number(int64(c.Delivered)), terminal.Number(r.Failed), terminal.Number(int64(c.Returned)), c.Charged - c.Credited,
	}
}

// DeclinesRows say what a buyer declined for.
func DeclinesRows(r query.BuyersRow) (rows [][]any) {
	for _, d := range r.Declines {
		rows = append(rows, []any{terminal.Short(r.Buyer.Terms.Name, nameWidth), d.Code, terminal.Number(d.Times)})
	}
	return rows
}

// Speed is a row of the report of speed, as JSON. key says what its rows are: day or month.
func Speed(key string, r query.SpeedRow) wire.Object {
	return wire.Object{
		{key, r.Key},
		{"offered", r.Offer.Leads},
		{"offer_p50_ms", r.Offer.P50.Milliseconds()},
		{"offer_p95_ms", r.Offer.P95.Milliseconds()},
		{"sold", r.Sale.Leads},
		{"sale_p50_ms", r.Sale.P50.Milliseconds()},
		{"sale_p95_ms", r.Sale.P95.Milliseconds()},
	}
}

// SpeedHeadings are the headings of SpeedRow, without the first.
const SpeedHeadings = "OFFERED\tHALF WITHIN\t95 % WITHIN\tSOLD\tHALF WITHIN\t95 % WITHIN"

// SpeedRow is a row of the report of speed, in a table.
func SpeedRow(r query.SpeedRow) []any {
	return []any{r.Key, terminal.Number(r.Offer.Leads), wait(r.Offer.P50), wait(r.Offer.P95), terminal.Number(r.Sale.Leads), wait(r.Sale.P50), wait(r.Sale.P95)}
}

// ReturnCounts is a row of the report of returns, as JSON.
func ReturnCounts(r query.ReturnsRow) wire.Object {
	return wire.Object{
		{"buyer_id", r.Buyer},
		{"code", r.Code},
		{"returned", r.Waiting + r.Approved + r.Denied},
		{"waiting", r.Waiting},
		{"approved", r.Approved},
		{"denied", r.Denied},
		{"credited_cents", int64(r.Credited)},
	}
}

// ReturnCountsHeadings are the headings of ReturnCountsRow.
const ReturnCountsHeadings = "BUYER\tCODE\tRETURNED\tWAITING\tAPPROVED\tDENIED\tCREDITED"

// ReturnCountsRow is a row of the report of returns, in a table.
func ReturnCountsRow(r query.ReturnsRow) []any {
	return []any{terminal.Short(r.BuyerName, nameWidth), r.Code, r.Waiting + r.Approved + r.Denied, r.Waiting, r.Approved, r.Denied, r.Credited}
}

// wait is how long something took: "-" if it never happened.
func wait(d time.Duration) string {
	switch {
	case d == 0:
		return "-"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%.1f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}

// rate is a part of a whole, to a thousandth: nil if there is no whole.
func rate(part, whole int) *float64 {
	if whole == 0 {
		return nil
	}
	return new(math.Round(1000*float64(part)/float64(whole)) / 1000)
}

// share is a part of a whole in percent.
func share(part, whole int64) string {
	if whole <= 0 {
		return "-"
	}
	return fmt.Sprintf("%d %%", (200*part+whole)/(2*whole))
}

// barWidth is that of the longest bar.
const barWidth = 8

// bar draws a number beside others, the highest of which is most.
func bar(n, most int64) string {
	if most <= 0 {
		return ""
	}
	return strings.Repeat("▇", int((barWidth*n+most-1)/most))
}
