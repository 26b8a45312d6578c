package console

import (
	"strings"
	"time"

	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/wire"
)

const tagReports = "reports"

var rangeFields = []field{
	{name: "from", kind: text, help: "The first day: 2026-11-05, 2026-11 for a month, today, yesterday or 7d. Default: the first of this month."},
	{name: "to", kind: text, help: "The last day. Default: today."},
}

// byField says what the rows of a report are.
func byField(choices ...string) field {
	return field{name: "by", kind: text, choices: choices, defaultValue: choices[0], help: "What each row counts."}
}

// key is the member of a row that says what it counts.
const key = "key"

// table is a report.
type table struct {
	clock string // which time decides where something counts
	rows  []object
	total *object // of all rows, if they can be added up
}

var reportOperations = []operation{
	newReport("leads", "How many leads were received, where they stand, and what was earned", report.WhenReceived, leadCounts(query.LeadsRow{}), true,
		[]field{byField("day", "month", "service")}, func(c *call, tx *store.Tx, r query.ReportRange) (t table, err error) {
			list, all, err := query.LeadsReport(tx, r, c.in.text("by"))
			return tableOf(list, leadCounts, new(leadCounts(allLeads(all)))), err
		}),
	newReport("coverage", "Where people ask and nobody buys, and why, by state or ZIP code", report.WhenReceivedByMonth, coverageCounts(query.LeadsRow{}), true,
		[]field{
			byField("state", "zip"),
			{name: "service", kind: list, help: "Only leads for these services."},
			{name: "state", kind: list, help: "Only leads in these states, such as GA. ZIP codes are listed for states alone."},
			{name: "limit", kind: number, min: 1, max: 50_000, defaultValue: 60, help: "How many places to list at most: those with the most uncovered leads."},
		}, (*call).coverageReport),
	newReport("sources", "What each source sent, what that cost, and what it brought in", report.WhenReceived, report.SourceCounts(query.LeadsRow{}), true,
		nil, func(c *call, tx *store.Tx, r query.ReportRange) (t table, err error) {
			list, all, err := query.SourcesReport(tx, r)
			return tableOf(list, report.SourceCounts, new(report.SourceCounts(all))), err
		}),
	newReport("campaigns", "What each campaign sent", report.WhenReceived, campaignCounts(query.LeadsRow{}), false,
		nil, func(c *call, tx *store.Tx, r query.ReportRange) (t table, err error) {
			list, err := query.CampaignsReport(tx, r)
			return tableOf(list, campaignCounts, nil), err
		}),
	newReport("buyers", "What became of the offers to each buyer, and what it pays", report.WhenOffered, report.BuyerCounts(query.BuyersRow{}), true,
		nil, func(c *call, tx *store.Tx, r query.ReportRange) (t table, err error) {
			list, all, err := query.BuyersReport(tx, r)
			return tableOf(list, report.BuyerCounts, new(report.BuyerCounts(all))), err
		}),
	newReport("returns", "What buyers gave back, and what became of that", report.WhenReturned, report.ReturnCounts(query.ReturnsRow{}), false,
		nil, func(c *call, tx *store.Tx, r query.ReportRange) (t table, err error) {
			list, err := query.ReturnsReport(tx, r)
			return tableOf(list, report.ReturnCounts, nil), err
		}),
	newReport("speed", "How soon a buyer was asked, and how soon one had the contact", report.WhenReceived, speed(query.SpeedRow{}), true,
		[]field{byField("day", "month")}, func(c *call, tx *store.Tx, r query.ReportRange) (t table, err error) {
			list, all, err := query.SpeedReport(tx, r, c.in.text("by"))
			return tableOf(list, speed, new(speed(all))), err
		}),
	{
		method: post, path: "/reports/rebuild", id: "rebuildCounts", tag: tagReports, write: true, summary: "Count everything again, for example in another time zone",
		description: "The counts are emptied and counted again in the background. Until that is done, reports are incomplete.",
		body:        []field{{name: "time_zone", kind: text, help: "Time zone of days and months, such as America/New_York. Default: the one in which leads were counted."}},
		answer:      answer{"RebuiltCounts", object{{"time_zone", ""}}, false}, run: (*call).rebuildCounts,
	},
}

func leadCounts(r query.LeadsRow) object     { return report.LeadCounts(key, r) }
func campaignCounts(r query.LeadsRow) object { return report.CampaignCounts(key, r) }
func coverageCounts(r query.LeadsRow) object { return report.CoverageCounts(key, r) }
func speed(r query.SpeedRow) object          { return report.Speed(key, r) }

// allLeads names the row of all leads.
func allLeads(all query.LeadsRow) query.LeadsRow {
	all.Key = "all"
	return all
}

func tableOf[T any](list []T, row func(T) object, total *object) (t table) {
	t.rows, t.total = make([]object, len(list)), total
	for i, x := range list {
		t.rows[i] = row(x)
	}
	return t
}

// newReport returns the operation of a report.
func newReport(name, summary, clock string, row object, total bool, fields []field, read func(c *call, tx *store.Tx, r query.ReportRange) (table, error)) operation {
	sample := table{clock: clock, rows: []object{row}}
	if total {
		sample.total = &row
	}
	return operation{
		method: get, path: "/reports/" + name, id: name + "Report", tag: tagReports, summary: summary,
		description: "Counted " + clock + ". The days are those of time_zone. missing says how many rows are not counted yet.",
		query:       append(rangeFields[:2:2], fields...), answer: answer{name + "Report", sample.object(query.ReportRange{Zone: time.UTC}, ""), false},
		run: func(c *call) (any, error) {
			var t table
			var r query.ReportRange
			err := c.op.Store.View(c.ctx, func(tx *store.Tx) (err error) {
				if r, err = query.NewReportRange(tx, c.in.text("from"), c.in.text("to"), time.Now()); err == nil {
					t, err = read(c, tx, r)
				}
				return err
			})
			if err != nil {
				return nil, err
			}
			t.clock = clock
			return t.object(r, c.in.text("by")), nil
		},
	}
}

// object is a report as JSON. by says what its rows count.
func (t table) object(r query.ReportRange, by string) object {
	o := object{
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

func (c *call) coverageReport(tx *store.Tx, r query.ReportRange) (t table, err error) {
	filter, err := query.NewCoverageFilter(c.in.text("by"), strings.Join(c.in.list("service"), ","), strings.Join(c.in.list("state"), ","))
	if err != nil {
		return t, err
	}
	filter.Limit = c.in.number("limit")
	list, all, err := query.CoverageReport(tx, r, filter)
	return tableOf(list, coverageCounts, new(coverageCounts(allLeads(all)))), err
}

func (c *call) rebuildCounts() (any, error) {
	var zone *time.Location
	if name := c.in.text("time_zone"); name != "" {
		var err error
		if zone, err = time.LoadLocation(name); err != nil || name == "Local" {
			return nil, lead.InvalidField("time_zone", "time_zone: this is no time zone. Send one such as America/New_York, or UTC.")
		}
	}
	in, err := c.op.RebuildCounts(c.ctx, c.by(), zone)
	if err != nil {
		return nil, err
	}
	return object{{"time_zone", in.String()}}, nil
}
