// Package insight is the pages that explain: reports, coverage, who would be asked about a lead, and what buyers owe for a month. They
// change nothing but closing statements, and count nothing themselves: package operator/query does.
package insight

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/console"
	"foyer/internal/console/chart"
	"foyer/internal/console/pages/page"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// reportKind is one of the reports.
type reportKind struct {
	name, title, clock string
	by                 []string // what its rows can count
	read               func(v *page.Visit, tx *store.Tx, r query.ReportRange, by string) (counted, error)
}

// counted is a report that was read.
type counted struct {
	table   page.Table
	chart   page.Part
	stats   []page.Stat
	objects []wire.Object // for the file
}

var reportKinds = []reportKind{
	{"leads", "Leads and money", report.WhenReceived, []string{"day", "month", "service"}, leadsReport},
	{"buyers", "Buyers", report.WhenOffered, nil, buyersReport},
	{"sources", "Sources", report.WhenReceived, nil, sourcesReport},
	{"campaigns", "Campaigns", report.WhenReceived, nil, campaignsReport},
	{"returns", "Returns", report.WhenReturned, nil, returnsReport},
	{"speed", "Speed", report.WhenReceived, []string{"day", "month"}, speedReport},
}

// chosenReport reads which report the address means.
func chosenReport(v *page.Visit) (kind reportKind, by string) {
	kind = reportKinds[0]
	for _, k := range reportKinds {
		if k.name == v.Query("report") {
			kind = k
		}
	}
	if len(kind.by) > 0 {
		if by = v.Query("by"); !slices.Contains(kind.by, by) {
			by = kind.by[0]
		}
	}
	return kind, by
}

// Reports shows one of the reports: a chart, and the table it is drawn from.
func Reports(v *page.Visit) (page.View, error) {
	kind, by := chosenReport(v)
	from, to := v.Query("from"), v.Query("to")
	var names []string
	for _, k := range reportKinds {
		names = append(names, k.name)
	}
	shown := page.View{Title: "Reports", Wide: true, Parts: []page.Part{v.Tabs("/reports", "report", kind.name, names, "from", from, "to", to)}}
	if err := v.TellPractice(&shown); err != nil {
		return shown, err
	}
	filter := rangeForm(v, "/reports", from, to, page.Pair{Name: "report", Value: kind.name}, kind.by, by)
	c, r, err := readReport(v, kind, by, from, to)
	if problem := page.AsProblem(err); problem != nil && problem.Kind == lead.NotFound {
		shown.Parts = append(shown.Parts, nothingCounted(v))
		return shown, nil
	} else if problem != nil {
		filter.Problem = problem.Message
		shown.Parts = append(shown.Parts, page.Panel{Parts: []page.Part{filter}})
		return shown, nil
	}
	if err != nil {
		return shown, err
	}
	shown.Stats, c.table.Go = c.stats, allLeads(v)
	shown.Parts = append(shown.Parts, page.Panel{Parts: []page.Part{filter}})
	parts := []page.Part{c.table}
	if c.chart != nil && len(c.table.Rows) > 0 {
		parts = append([]page.Part{c.chart}, parts...)
	}
	csv := page.WithQuery(v.Address("/reports/csv"), "report", kind.name, "by", by, "from", r.From, "to", r.To)
	shown.Parts = append(shown.Parts, page.Panel{Title: kind.title + ", " + r.From + " to " + r.To, Note: countedNote(v, kind.clock, r), More: &page.Link{Text: "CSV", Href: csv}, Parts: parts})
	return shown, nil
}

// nothingCounted says how reports get something to show.
func nothingCounted(v *page.Visit) page.Part {
	return page.Panel{Parts: []page.Part{page.Table{Caption: "Nothing is counted yet", Empty: "Nothing is counted yet: leads are counted a few seconds after they come in. Those for practice are not.", Go: allLeads(v)}}}
}

// allLeads leads to the leads that there are, whenever they came in. Those for practice are among them, and in no report.
func allLeads(v *page.Visit) *page.Link {
	return &page.Link{Text: "All leads", Href: v.Address("/leads")}
}

// countedNote says by which clock and in which zone a report counts, and what it lacks.
func countedNote(v *page.Visit, clock string, r query.ReportRange) string {
	note := "Counted " + clock + ", in " + r.Zone.String() + "."
	if r.Missing > 0 {
		note += " Not counted yet: " + terminal.Number(r.Missing) + " rows."
	}
	return note
}

func readReport(v *page.Visit, kind reportKind, by, from, to string) (c counted, r query.ReportRange, err error) {
	err = v.Read(func(tx *store.Tx) (err error) {
		if r, err = query.NewReportRange(tx, from, to, v.Now()); err == nil {
			c, err = kind.read(v, tx, r, by)
		}
		return err
	})
	return c, r, err
}

// rangeForm asks for the days of a report.
func rangeForm(v *page.Visit, path, from, to string, kept page.Pair, by []string, chosen string) page.Form {
	f := page.Form{Get: true, Row: true, Action: v.Address(path), Submit: "Show", Hidden: []page.Pair{kept}}
	f.Inputs = []page.Input{page.TextInput("from", "From", from, "2026-11-05, 2026-11, 7d. Default: this month"), page.TextInput("to", "To", to, "Default: today")}
	if len(by) > 0 {
		in := page.TextInput("by", "By", chosen, "")
		in.Choices, in.Required = by, true
		f.Inputs = append(f.Inputs, in)
	}
	return f
}

// keyName is what a row of a report is about.
func keyName(by, key string) string {
	if by == "service" {
		return page.ServiceName(lead.Service(key))
	}
	return key
}

func leadsReport(v *page.Visit, tx *store.Tx, r query.ReportRange, by string) (c counted, err error) {
	list, all, err := query.LeadsReport(tx, r, by)
	if err != nil {
		return c, err
	}
	c.table = page.Table{Caption: "Leads by " + by, Head: page.Heads(strings.ToUpper(by[:1])+by[1:], ">Leads", ">Sold", ">Of demand", ">Held", ">Waiting", ">Called", ">Error", ">Closed", ">Revenue", ">Cost", ">Margin"), Empty: "No lead in this range."}
	line := func(name string, x query.LeadsRow) page.Row {
		o := x.Outcomes
		return page.Row{Cells: []page.Cell{page.Text(name), page.Count(x.Received), page.Count(o[buyer.OutcomeSold]), page.Right(page.Percent(o[buyer.OutcomeSold], x.Demand())), page.Count(x.Held()), page.Count(o[buyer.OutcomeWaiting]), page.Count(o[buyer.OutcomeCalled]), page.Count(o[buyer.OutcomeError]), page.Count(o[buyer.OutcomeClosed]), page.Money(x.Revenue), page.Money(x.Cost), page.Money(x.Margin())}}
	}
	leads, sold := chart.Series{Name: "Leads"}, chart.Series{Name: "Sold"}
	for _, x := range list {
		c.table.Rows = append(c.table.Rows, line(keyName(by, x.Key), x))
		c.objects = append(c.objects, report.LeadCounts(by, x))
		leads.Points = append(leads.Points, chart.Point{Label: dayLabel(keyName(by, x.Key)), Value: float64(x.Received)})
		sold.Points = append(sold.Points, chart.Point{Label: dayLabel(keyName(by, x.Key)), Value: float64(x.Outcomes[buyer.OutcomeSold])})
	}
	if len(list) > 1 {
		c.table.Rows = append(c.table.Rows, line("All", all))
	}
	c.stats = []page.Stat{
		{Label: "Leads", Value: terminal.Number(all.Received)},
		{Label: "Sold of demand", Value: page.Percent(all.Outcomes[buyer.OutcomeSold], all.Demand())},
		{Label: "Revenue", Value: all.Revenue.String()},
		{Label: "Cost", Value: all.Cost.String()},
		{Label: "Margin", Value: all.Margin().String()},
	}
	t := chart.Time{Title: "Leads by " + by + ", and how many were sold", Note: "Bars: received. Line: sold. Days in " + r.Zone.String() + ".", Now: leads, Before: &sold, Width: 960, Height: 220}
	c.chart = page.Drawing{SVG: t.SVG(), Table: t.Table()}
	return c, nil
}

// dayLabel is a day on an axis.
func dayLabel(key string) string {
	if at, err := time.Parse(time.DateOnly, key); err == nil {
		return at.Format("Mon 2 Jan")
	}
	return key
}

func buyersReport(v *page.Visit, tx *store.Tx, r query.ReportRange, _ string) (c counted, err error) {
	list, all, err := query.BuyersReport(tx, r)
	c.table = page.Table{Caption: "Offers by buyer", Keys: true, Head: page.Heads("Buyer", ">Offered", ">Accepted", ">Rate", ">Delivered", ">Failed", ">Returned", ">Revenue", "Declines"), Empty: "No offer in this range."}
	bars := chart.Bars{Title: "Revenue by buyer", Unit: chart.Cents}
	line := func(name page.Cell, x query.BuyersRow) page.Row {
		var declines []string
		for _, d := range x.Declines {
			declines = append(declines, fmt.Sprintf("%s %d", page.CodeName(d.Code), d.Times))
		}
		n := x.Counts
		return page.Row{Cells: []page.Cell{name, page.Count(int64(n.Offered)), page.Count(int64(n.Accepted)), page.Right(page.Percent(int64(n.Accepted), int64(n.Offered))), page.Count(int64(n.Delivered)), page.Count(x.Failed), page.Count(int64(n.Returned)), page.Money(n.Charged - n.Credited), page.Soft(strings.Join(declines, ", "))}, Href: name.Href}
	}
	for _, x := range list {
		c.table.Rows = append(c.table.Rows, line(page.To(cmp.Or(x.Buyer.Terms.Name, x.Buyer.ID), v.Address("/buyers/"+x.Buyer.ID)), x))
		c.objects = append(c.objects, report.BuyerCounts(x))
		bars.Bars = append(bars.Bars, chart.Bar{Label: page.Short(cmp.Or(x.Buyer.Terms.Name, x.Buyer.ID)), Value: float64(x.Counts.Charged - x.Counts.Credited)})
	}
	if len(list) > 1 {
		c.table.Rows = append(c.table.Rows, line(page.Text("All"), all))
	}
	c.chart = page.Drawing{SVG: bars.SVG(), Table: bars.Table()}
	return c, err
}

func sourcesReport(v *page.Visit, tx *store.Tx, r query.ReportRange, _ string) (c counted, err error) {
	list, all, err := query.SourcesReport(tx, r)
	c.table = page.Table{Caption: "Leads by source", Keys: true, Head: page.Heads("Source", ">Leads", ">Sold", ">Of demand", ">Held", ">Revenue", ">Paid for", ">Cost", ">Margin"), Empty: "No lead in this range."}
	bars := chart.Bars{Title: "Margin by source", Unit: chart.Cents}
	line := func(name page.Cell, x query.LeadsRow) page.Row {
		sold := x.Outcomes[buyer.OutcomeSold]
		return page.Row{Cells: []page.Cell{name, page.Count(x.Received), page.Count(sold), page.Right(page.Percent(sold, x.Demand())), page.Count(x.Held()), page.Money(x.Revenue), page.Count(x.Paid), page.Money(x.Cost), page.Money(x.Margin())}}
	}
	for _, x := range list {
		name := page.Text(cmp.Or(x.Name, x.Key))
		if x.Key != "" && x.Key != "direct" {
			name = name.Linked(v.Address("/sources/" + url.PathEscape(x.Key)))
		}
		c.table.Rows = append(c.table.Rows, line(name, x))
		c.objects = append(c.objects, report.SourceCounts(x))
		bars.Bars = append(bars.Bars, chart.Bar{Label: page.Short(cmp.Or(x.Name, x.Key)), Value: float64(x.Margin())})
	}
	if len(list) > 1 {
		c.table.Rows = append(c.table.Rows, line(page.Text("All"), all))
	}
	c.chart = page.Drawing{SVG: bars.SVG(), Table: bars.Table()}
	return c, err
}

func campaignsReport(v *page.Visit, tx *store.Tx, r query.ReportRange, _ string) (c counted, err error) {
	list, err := query.CampaignsReport(tx, r)
	c.table = page.Table{Caption: "Leads by campaign", Head: page.Heads("Campaign", ">Leads", ">Sold", ">Of demand", ">Held"), Empty: "No lead of a campaign in this range."}
	for _, x := range list {
		sold := x.Outcomes[buyer.OutcomeSold]
		c.table.Rows = append(c.table.Rows, page.Row{Cells: []page.Cell{page.Text(x.Key), page.Count(x.Received), page.Count(sold), page.Right(page.Percent(sold, x.Demand())), page.Count(x.Held())}})
		c.objects = append(c.objects, report.CampaignCounts("campaign", x))
	}
	return c, err
}

func returnsReport(v *page.Visit, tx *store.Tx, r query.ReportRange, _ string) (c counted, err error) {
	list, err := query.ReturnsReport(tx, r)
	c.table = page.Table{Caption: "Returns by buyer and code", Head: page.Heads("Buyer", "Code", ">Returned", ">Waiting", ">Approved", ">Denied", ">Credited"), Empty: "Nothing was returned in this range."}
	for _, x := range list {
		c.table.Rows = append(c.table.Rows, page.Row{Cells: []page.Cell{page.Text(x.BuyerName), page.Text(page.CodeName(x.Code)), page.Count(int64(x.Waiting + x.Approved + x.Denied)), page.Count(int64(x.Waiting)), page.Count(int64(x.Approved)), page.Count(int64(x.Denied)), page.Money(x.Credited)}})
		c.objects = append(c.objects, report.ReturnCounts(x))
	}
	return c, err
}

func speedReport(v *page.Visit, tx *store.Tx, r query.ReportRange, by string) (c counted, err error) {
	list, all, err := query.SpeedReport(tx, r, by)
	c.table = page.Table{Caption: "How long leads waited, by " + by, Head: page.Heads(strings.ToUpper(by[:1])+by[1:], ">Offered", ">Offered: half within", ">Offered: 95 % within", ">Sold", ">Sold: half within", ">Sold: 95 % within"), Empty: "No lead in this range."}
	line := func(name string, x query.SpeedRow) page.Row {
		return page.Row{Cells: []page.Cell{page.Text(name), page.Count(x.Offer.Leads), page.Right(waitText(x.Offer.Leads, x.Offer.P50)), page.Right(waitText(x.Offer.Leads, x.Offer.P95)), page.Count(x.Sale.Leads), page.Right(waitText(x.Sale.Leads, x.Sale.P50)), page.Right(waitText(x.Sale.Leads, x.Sale.P95))}}
	}
	half, most := chart.Series{Name: "Half within"}, chart.Series{Name: "95 % within"}
	for _, x := range list {
		c.table.Rows = append(c.table.Rows, line(x.Key, x))
		c.objects = append(c.objects, report.Speed(by, x))
		half.Points = append(half.Points, chart.Point{Label: dayLabel(x.Key), Value: x.Sale.P50.Seconds()})
		most.Points = append(most.Points, chart.Point{Label: dayLabel(x.Key), Value: x.Sale.P95.Seconds()})
	}
	if len(list) > 1 {
		c.table.Rows = append(c.table.Rows, line("All", all))
	}
	l := chart.Line{Title: "Time until a buyer had the contact, by " + by, Unit: chart.Duration, Series: []chart.Series{half, most}, Width: 960, Height: 220}
	c.chart = page.Drawing{SVG: l.SVG(), Table: l.Table()}
	return c, err
}

func waitText(leads int64, d time.Duration) string {
	if leads == 0 {
		return "–"
	}
	return terminal.Duration(d)
}

// ReportCSV is a report as a file.
func ReportCSV(v *page.Visit) error {
	kind, by := chosenReport(v)
	c, r, err := readReport(v, kind, by, v.Query("from"), v.Query("to"))
	if err != nil {
		return err
	}
	if len(c.objects) == 0 {
		return &lead.Error{Kind: lead.NotFound, Message: "There is nothing in this range to put into a file."}
	}
	if err := v.Operator.RecordRead(v.Ctx, v.By(), audit.ReportExport, kind.name, audit.Detail{"by": by, "from": r.From, "to": r.To}); err != nil {
		return err
	}
	return console.WriteFile(v.W, "report-"+kind.name+"-"+r.From+"-"+r.To+".csv", func(w io.Writer) (err error) {
		csv := report.NewCSV(w, report.Counted(c.objects[0], r.Zone, kind.clock))
		for _, o := range c.objects {
			err = errors.Join(err, csv.Write(report.Counted(o, r.Zone, kind.clock)))
		}
		return errors.Join(err, csv.Flush())
	})
}
