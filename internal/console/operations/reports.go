package operations

import (
	"strings"
	"time"

	"foyer/internal/console/operation"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/wire"
)

const tagReports = "reports"

var rangeFields = []operation.Field{
	{Name: "from", Kind: operation.Text, Help: "The first day: 2026-11-05, 2026-11 for a month, today, yesterday or 7d. Default: the first of this month."},
	{Name: "to", Kind: operation.Text, Help: "The last day. Default: today."},
}

// byField says what the rows of a report are.
func byField(choices ...string) operation.Field {
	return operation.Field{Name: "by", Kind: operation.Text, Choices: choices, DefaultValue: choices[0], Help: "What each row counts."}
}

// key is the member of a row that says what it counts.
const key = "key"

// table is a report.
type table struct {
	clock string // which time decides where something counts
	rows  []wire.Object
	total *wire.Object // of all rows, if they can be added up
}

var reportOperations = []operation.Operation{
	newReport("leads", "How many leads were received, where they stand, and what was earned", report.WhenReceived, leadCounts(query.LeadsRow{}), true,
		[]operation.Field{byField("day", "month", "service")}, func(c *operation.Call, tx *store.Tx, r query.ReportRange) (t table, err error) {
			list, all, err := query.LeadsReport(tx, r, c.In.Text("by"))
			return tableOf(list, leadCounts, new(leadCounts(allLeads(all)))), err
		}),
	newReport("coverage", "Where people ask and nobody buys, and why, by state or ZIP code", report.WhenReceivedByMonth, coverageCounts(query.LeadsRow{}), true,
		[]operation.Field{
			byField("state", "zip"),
			{Name: "service", Kind: operation.List, Help: "Only leads for these services."},
			{Name: "state", Kind: operation.List, Help: "Only leads in these states, such as GA. ZIP codes are listed for states alone."},
			{Name: "limit", Kind: operation.Number, Min: 1, Max: 50_000, DefaultValue: 60, Help: "How many places to list at most: those with the most uncovered leads."},
		}, coverageReport),
	newReport("sources", "What each source sent, what that cost, and what it brought in", report.WhenReceived, report.SourceCounts(query.LeadsRow{}), true,
		nil, func(c *operation.Call, tx *store.Tx, r query.ReportRange) (t table, err error) {
			list, all, err := query.SourcesReport(tx, r)
			return tableOf(list, report.SourceCounts, new(report.SourceCounts(all))), err
		}),
	newReport("campaigns", "What each campaign sent", report.WhenReceived, campaignCounts(query.LeadsRow{}), false,
		nil, func(c *operation.Call, tx *store.Tx, r query.ReportRange) (t table, err error) {
			list, err := query.CampaignsReport(tx, r)
			return tableOf(list, campaignCounts, nil), err
		}),
	newReport("buyers", "What became of the offers to each buyer, and what it pays", report.WhenOffered, report.BuyerCounts(query.BuyersRow{}), true,
		nil, func(c *operation.Call, tx *store.Tx, r query.ReportRange) (t table, err error) {
			list, all, err := query.BuyersReport(tx, r)
			return tableOf(list, report.BuyerCounts, new(report.BuyerCounts(all))), err
		}),
	newReport("returns", "What buyers gave back, and what became of that", report.WhenReturned, report.ReturnCounts(query.ReturnsRow{}), false,
		nil, func(c *operation.Call, tx *store.Tx, r query.ReportRange) (t table, err error) {
			list, err := query.ReturnsReport(tx, r)
			return tableOf(list, report.ReturnCounts, nil), err
		}),
	newReport("speed", "How soon a buyer was asked, and how soon one had the contact", report.WhenReceived, speed(query.SpeedRow{}), true,
		[]operation.Field{byField("day", "month")}, func(c *operation.Call, tx *store.Tx, r query.ReportRange) (t table, err error) {
			list, all, err := query.SpeedReport(tx, r, c.In.Text("by"))
			return tableOf(list, speed, new(speed(all))), err
		}),
	{
		Method: post, Path: "/reports/rebuild", ID: "rebuildCounts", Tag: tagReports, Write: true, Summary: "Count everything again, for example in another time zone",
		Description: "The counts are emptied and counted again in the background. Until that is done, reports are incomplete.",
		Body:        []operation.Field{{Name: "time_zone", Kind: operation.Text, Help: "Time zone of days and months, such as America/New_York. Default: the one in which leads were counted."}},
		Answer:      operation.Answer{Name: "RebuiltCounts", Sample: wire.Object{{"time_zone", ""}}}, Run: rebuildCounts,
	},
}

func leadCounts(r query.LeadsRow) wire.Object     { return report.LeadCounts(key, r) }
func campaignCounts(r query.LeadsRow) wire.Object { return report.CampaignCounts(key, r) }
func coverageCounts(r query.LeadsRow) wire.Object { return report.CoverageCounts(key, r) }
func speed(r query.SpeedRow) wire.Object          { return report.Speed(key, r) }

// allLeads names the row of all leads.
func allLeads(all query.LeadsRow) query.LeadsRow {
	all.Key = "all"
	return all
}

func tableOf[T any](list []T, row func(T) wire.Object, total *wire.Object) (t table) {
	t.rows, t.total = make([]wire.Object, len(list)), total
	for i, x := range list {
		t.rows[i] = row(x)
	}
	return t
}

// newReport returns the operation of a report.
func newReport(name, summary, clock string, row wire.Object, total bool, fields []operation.Field, read func(c *operation.Call, tx *store.Tx, r query.ReportRange) (table, error)) operation.Operation {
	sample := table{clock: clock, rows: []wire.Object{row}}
	if total {
		sample.total = &row
	}
	return operation.Operation{
		Method: get, Path: "/reports/" + name, ID: name + "Report", Tag: tagReports, Summary: summary,
		Description: "Counted " + clock + ". The days are those of time_zone. missing says how many rows are not counted yet.",
		Query:       append(rangeFields[:2:2], fields...), Answer: operation.Answer{Name: name + "Report", Sample: sample.object(query.ReportRange{Zone: time.UTC}, "")},
		Run: func(c *operation.Call) (any, error) {
			var t table
			var r query.ReportRange
			err := c.Op.Store.View(c.Ctx, func(tx *store.Tx) (err error) {
				if r, err = query.NewReportRange(tx, c.In.Text("from"), c.In.Text("to"), time.Now()); err == nil {
					t, err = read(c, tx, r)
				}
				return err
			})
			if err != nil {
				return nil, err
			}
			t.clock = clock
			return t.object(r, c.In.Text("by")), nil
		},
	}
}

// object is a report as JSON. by says what its rows count.
func (t table) object(r query.ReportRange, by string) wire.Object {
	o := wire.Object{
		{"from", r.From},
		{"to", r.To},
		{"time_zone", r.Zone.String()},
		{"clock", t.clock},
		{"counted_up_to", wire.TimeOrNull(r.UpTo.UTC())},
		{"missing", r.Missing},
		{"by", wire.OrNull(by)},
		{"data", t.rows},
	}
	if t.total == nil {
		return o
	}
	return append(o, wire.Member{"total", *t.total})
}

func coverageReport(c *operation.Call, tx *store.Tx, r query.ReportRange) (t table, err error) {
	filter, err := query.NewCoverageFilter(c.In.Text("by"), strings.Join(c.In.List("service"), ","), strings.Join(c.In.List("state"), ","))
	if err != nil {
		return t, err
	}
	filter.Limit = c.In.Number("limit")
	list, all, err := query.CoverageReport(tx, r, filter)
	return tableOf(list, coverageCounts, new(coverageCounts(allLeads(all)))), err
}

func rebuildCounts(c *operation.Call) (any, error) {
	var zone *time.Location
	if name := c.In.Text("time_zone"); name != "" {
		var err error
		if zone, err = time.LoadLocation(name); err != nil || name == "Local" {
			return nil, lead.InvalidField("time_zone", "time_zone: this is no time zone. Send one such as America/New_York, or UTC.")
		}
	}
	in, err := c.Op.RebuildCounts(c.Ctx, c.By(), zone)
	if err != nil {
		return nil, err
	}
	return wire.Object{{"time_zone", in.String()}}, nil
}
