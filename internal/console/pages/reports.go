package pages

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/console/chart"
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
	read               func(v *visit, tx *store.Tx, r query.ReportRange, by string) (counted, error)
}

// counted is a report that was read.
type counted struct {
	table   table
	chart   part
	stats   []stat
	objects []wire.Object // for the file
}

var reportKinds = []reportKind{
	{"leads", "Leads and money", report.WhenReceived, []string{"day", "month", "service"}, (*visit).leadsReport},
	{"buyers", "Buyers", report.WhenOffered, nil, (*visit).buyersReport},
	{"sources", "Sources", report.WhenReceived, nil, (*visit).sourcesReport},
	{"campaigns", "Campaigns", report.WhenReceived, nil, (*visit).campaignsReport},
	{"returns", "Returns", report.WhenReturned, nil, (*visit).returnsReport},
	{"speed", "Speed", report.WhenReceived, []string{"day", "month"}, (*visit).speedReport},
}

// chosenReport reads which report the address means.
func (v *visit) chosenReport() (kind reportKind, by string) {
	kind = reportKinds[0]
	for _, k := range reportKinds {
		if k.name == v.query("report") {
			kind = k
		}
	}
	if len(kind.by) > 0 {
		if by = v.query("by"); !slices.Contains(kind.by, by) {
			by = kind.by[0]
		}
	}
	return kind, by
}

// reports shows one of the reports: a chart, and the table it is drawn from.
func (v *visit) reports() (view, error) {
	kind, by := v.chosenReport()
	from, to := v.query("from"), v.query("to")
	var names []string
	for _, k := range reportKinds {
		names = append(names, k.name)
	}
	shown := view{Title: "Reports", Wide: true, Parts: []part{v.tabs("/reports", "report", kind.name, names, "from", from, "to", to)}}
	if err := v.tellPractice(&shown); err != nil {
		return shown, err
	}
	filter := v.rangeForm("/reports", from, to, pair{"report", kind.name}, kind.by, by)
	c, r, err := v.readReport(kind, by, from, to)
	if problem := asProblem(err); problem != nil && problem.Kind == lead.NotFound {
		shown.Parts = append(shown.Parts, v.nothingCounted())
		return shown, nil
	} else if problem != nil {
		filter.Problem = problem.Message
		shown.Parts = append(shown.Parts, panel{Parts: []part{filter}})
		return shown, nil
	}
	if err != nil {
		return shown, err
	}
	shown.Stats, c.table.Go = c.stats, v.testLeadLink()
	shown.Parts = append(shown.Parts, panel{Parts: []part{filter}})
	parts := []part{c.table}
	if c.chart != nil && len(c.table.Rows) > 0 {
		parts = append([]part{c.chart}, parts...)
	}
	csv := withQuery(v.address("/reports/csv"), "report", kind.name, "by", by, "from", r.From, "to", r.To)
	shown.Parts = append(shown.Parts, panel{Title: kind.title + ", " + r.From + " to " + r.To, Note: v.countedNote(kind.clock, r), More: &link{"CSV", csv}, Parts: parts})
	return shown, nil
}

// nothingCounted says how reports get something to show.
func (v *visit) nothingCounted() part {
	return panel{Parts: []part{table{Caption: "Nothing is counted yet", Empty: "Nothing is counted yet: leads are counted a few seconds after they come in.", Go: v.testLeadLink()}}}
}

// testLeadLink leads to where a lead can be made up, so that a report has something to show.
func (v *visit) testLeadLink() *link { return &link{"Send a test lead from Today", v.Home()} }

// countedNote says by which clock and in which zone a report counts, and what it lacks.
func (v *visit) countedNote(clock string, r query.ReportRange) string {
	note := "Counted " + clock + ", in " + r.Zone.String() + "."
	if r.Missing > 0 {
		note += " Not counted yet: " + terminal.Number(r.Missing) + " rows."
	}
	return note
}

func (v *visit) readReport(kind reportKind, by, from, to string) (c counted, r query.ReportRange, err error) {
	err = v.read(func(tx *store.Tx) (err error) {
		if r, err = query.NewReportRange(tx, from, to, v.Now()); err == nil {
			c, err = kind.read(v, tx, r, by)
		}
		return err
	})
	return c, r, err
}

// rangeForm asks for the days of a report.
func (v *visit) rangeForm(path, from, to string, kept pair, by []string, chosen string) form {
	f := form{Get: true, Row: true, Action: v.address(path), Submit: "Show", Hidden: []pair{kept}}
	f.Inputs = []input{field("from", "From", from, "2026-11-05, 2026-11, 7d. Default: this month"), field("to", "To", to, "Default: today")}
	if len(by) > 0 {
		in := field("by", "By", chosen, "")
		in.Choices, in.Required = by, true
		f.Inputs = append(f.Inputs, in)
	}
	return f
}

func (v *visit) leadsReport(tx *store.Tx, r query.ReportRange, by string) (c counted, err error) {
	list, all, err := query.LeadsReport(tx, r, by)
	if err != nil {
		return c, err
	}
	c.table = table{Caption: "Leads by " + by, Head: heads(strings.ToUpper(by[:1])+by[1:], ">Leads", ">Sold", ">Of demand", ">Held", ">Waiting", ">Called", ">Error", ">Closed", ">Revenue", ">Cost", ">Margin"), Empty: "No lead in this range."}
	line := func(name string, x query.LeadsRow) row {
		o := x.Outcomes
		return row{Cells: []cell{text(name), count(x.Received), count(o[buyer.OutcomeSold]), right(percent(o[buyer.OutcomeSold], x.Demand())), count(x.Held()), count(o[buyer.OutcomeWaiting]), count(o[buyer.OutcomeCalled]), count(o[buyer.OutcomeError]), count(o[buyer.OutcomeClosed]), money(x.Revenue), money(x.Cost), money(x.Margin())}}
	}
	leads, sold := chart.Series{Name: "Leads"}, chart.Series{Name: "Sold"}
	for _, x := range list {
		c.table.Rows = append(c.table.Rows, line(x.Key, x))
		c.objects = append(c.objects, report.LeadCounts(by, x))
		leads.Points = append(leads.Points, chart.Point{Label: dayLabel(x.Key), Value: float64(x.Received)})
		sold.Points = append(sold.Points, chart.Point{Label: dayLabel(x.Key), Value: float64(x.Outcomes[buyer.OutcomeSold])})
	}
	if len(list) > 1 {
		c.table.Rows = append(c.table.Rows, line("All", all))
	}
	c.stats = []stat{
		{Label: "Leads", Value: terminal.Number(all.Received)},
		{Label: "Sold of demand", Value: percent(all.Outcomes[buyer.OutcomeSold], all.Demand())},
		{Label: "Revenue", Value: all.Revenue.String()},
		{Label: "Cost", Value: all.Cost.String()},
		{Label: "Margin", Value: all.Margin().String()},
	}
	t := chart.Time{Title: "Leads by " + by + ", and how many were sold", Note: "Bars: received. Line: sold. Days in " + r.Zone.String() + ".", Now: leads, Before: &sold, Width: 960, Height: 220}
	c.chart = drawing{t.SVG(), t.Table()}
	return c, nil
}

// dayLabel is a day on an axis.
func dayLabel(key string) string {
	if at, err := time.Parse(time.DateOnly, key); err == nil {
		return at.Format("Mon 2 Jan")
	}
	return key
}

func (v *visit) buyersReport(tx *store.Tx, r query.ReportRange, _ string) (c counted, err error) {
	list, all, err := query.BuyersReport(tx, r)
	c.table = table{Caption: "Offers by buyer", Keys: true, Head: heads("Buyer", ">Offered", ">Accepted", ">Rate", ">Delivered", ">Failed", ">Returned", ">Revenue", "Declines"), Empty: "No offer in this range."}
	bars := chart.Bars{Title: "Revenue by buyer", Unit: chart.Cents}
	line := func(name cell, x query.BuyersRow) row {
		var declines []string
		for _, d := range x.Declines {
			declines = append(declines, fmt.Sprintf("%s %d", d.Code, d.Times))
		}
		n := x.Counts
		return row{[]cell{name, count(int64(n.Offered)), count(int64(n.Accepted)), right(percent(int64(n.Accepted), int64(n.Offered))), count(int64(n.Delivered)), count(x.Failed), count(int64(n.Returned)), money(n.Charged - n.Credited), soft(strings.Join(declines, ", "))}, name.Href}
	}
	for _, x := range list {
		c.table.Rows = append(c.table.Rows, line(to(cmp.Or(x.Buyer.Terms.Name, x.Buyer.ID), v.address("/buyers/"+x.Buyer.ID)), x))
		c.objects = append(c.objects, report.BuyerCounts(x))
		bars.Bars = append(bars.Bars, chart.Bar{Label: short(cmp.Or(x.Buyer.Terms.Name, x.Buyer.ID)), Value: float64(x.Counts.Charged - x.Counts.Credited)})
	}
	if len(list) > 1 {
		c.table.Rows = append(c.table.Rows, line(text("All"), all))
	}
	c.chart = drawing{bars.SVG(), bars.Table()}
	return c, err
}

func (v *visit) sourcesReport(tx *store.Tx, r query.ReportRange, _ string) (c counted, err error) {
	list, all, err := query.SourcesReport(tx, r)
	c.table = table{Caption: "Leads by source", Keys: true, Head: heads("Source", ">Leads", ">Sold", ">Of demand", ">Held", ">Revenue", ">Paid for", ">Cost", ">Margin"), Empty: "No lead in this range."}
	bars := chart.Bars{Title: "Margin by source", Unit: chart.Cents}
	line := func(name cell, x query.LeadsRow) row {
		sold := x.Outcomes[buyer.OutcomeSold]
		return row{Cells: []cell{name, count(x.Received), count(sold), right(percent(sold, x.Demand())), count(x.Held()), money(x.Revenue), count(x.Paid), money(x.Cost), money(x.Margin())}}
	}
	for _, x := range list {
		name := text(cmp.Or(x.Name, x.Key))
		if x.Key != "" && x.Key != "direct" {
			name = name.linked(v.address("/sources/" + url.PathEscape(x.Key)))
		}
		c.table.Rows = append(c.table.Rows, line(name, x))
		c.objects = append(c.objects, report.SourceCounts(x))
		bars.Bars = append(bars.Bars, chart.Bar{Label: short(cmp.Or(x.Name, x.Key)), Value: float64(x.Margin())})
	}
	if len(list) > 1 {
		c.table.Rows = append(c.table.Rows, line(text("All"), all))
	}
	c.chart = drawing{bars.SVG(), bars.Table()}
	return c, err
}

func (v *visit) campaignsReport(tx *store.Tx, r query.ReportRange, _ string) (c counted, err error) {
	list, err := query.CampaignsReport(tx, r)
	c.table = table{Caption: "Leads by campaign", Head: heads("Campaign", ">Leads", ">Sold", ">Of demand", ">Held"), Empty: "No lead of a campaign in this range."}
	for _, x := range list {
		sold := x.Outcomes[buyer.OutcomeSold]
		c.table.Rows = append(c.table.Rows, row{Cells: []cell{text(x.Key), count(x.Received), count(sold), right(percent(sold, x.Demand())), count(x.Held())}})
		c.objects = append(c.objects, report.CampaignCounts("campaign", x))
	}
	return c, err
}

func (v *visit) returnsReport(tx *store.Tx, r query.ReportRange, _ string) (c counted, err error) {
	list, err := query.ReturnsReport(tx, r)
	c.table = table{Caption: "Returns by buyer and code", Head: heads("Buyer", "Code", ">Returned", ">Waiting", ">Approved", ">Denied", ">Credited"), Empty: "Nothing was returned in this range."}
	for _, x := range list {
		c.table.Rows = append(c.table.Rows, row{Cells: []cell{text(x.BuyerName), text(string(x.Code)), count(int64(x.Waiting + x.Approved + x.Denied)), count(int64(x.Waiting)), count(int64(x.Approved)), count(int64(x.Denied)), money(x.Credited)}})
		c.objects = append(c.objects, report.ReturnCounts(x))
	}
	return c, err
}

func (v *visit) speedReport(tx *store.Tx, r query.ReportRange, by string) (c counted, err error) {
	list, all, err := query.SpeedReport(tx, r, by)
	c.table = table{Caption: "How long leads waited, by " + by, Head: heads(strings.ToUpper(by[:1])+by[1:], ">Offered", ">Half within", ">95 % within", ">Sold", ">Half within", ">95 % within"), Empty: "No lead in this range."}
	line := func(name string, x query.SpeedRow) row {
		return row{Cells: []cell{text(name), count(x.Offer.Leads), right(waitText(x.Offer.Leads, x.Offer.P50)), right(waitText(x.Offer.Leads, x.Offer.P95)), count(x.Sale.Leads), right(waitText(x.Sale.Leads, x.Sale.P50)), right(waitText(x.Sale.Leads, x.Sale.P95))}}
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
	c.chart = drawing{l.SVG(), l.Table()}
	return c, err
}

func waitText(leads int64, d time.Duration) string {
	if leads == 0 {
		return "–"
	}
	return terminal.Duration(d)
}

// reportCSV is a report as a file.
func (v *visit) reportCSV() error {
	kind, by := v.chosenReport()
	c, r, err := v.readReport(kind, by, v.query("from"), v.query("to"))
	if err != nil {
		return err
	}
	if len(c.objects) == 0 {
		return &lead.Error{Kind: lead.NotFound, Message: "There is nothing in this range to put into a file."}
	}
	if err := v.Operator.RecordRead(v.ctx, v.by(), audit.ReportExport, kind.name, audit.Detail{"by": by, "from": r.From, "to": r.To}); err != nil {
		return err
	}
	v.fileHeaders("report-" + kind.name + "-" + r.From + "-" + r.To + ".csv")
	csv := report.NewCSV(v.w, report.Counted(c.objects[0], r.Zone, kind.clock))
	for _, o := range c.objects {
		err = errors.Join(err, csv.Write(report.Counted(o, r.Zone, kind.clock)))
	}
	return errors.Join(err, csv.Flush())
}

func (v *visit) fileHeaders(name string) {
	v.w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	v.w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
}
