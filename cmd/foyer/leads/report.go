package leads

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"foyer/cmd/foyer/cli"
	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/query"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// Report are the commands that count leads, offers and money.
type Report struct {
	Leads    reportLeads    `cmd:"" help:"How many leads were received, where they stand, and what was earned."`
	Coverage reportCoverage `cmd:"" help:"Where people ask and nobody buys, and why, by state or ZIP code."`
	Sources  reportSources  `cmd:"" help:"What each source sent, what that cost, and what it brought in."`
	Buyers   reportBuyers   `cmd:"" help:"What became of the offers to each buyer, and what it pays."`
	Returns  reportReturns  `cmd:"" help:"What buyers gave back, and what became of that."`
	Speed    reportSpeed    `cmd:"" help:"How soon a buyer was asked, and how soon one had the contact."`
	Rebuild  reportRebuild  `cmd:"" help:"Count everything again, for example in another time zone."`
}

// reportFlags are the flags of every report.
type reportFlags struct {
	config.Data
	From string `placeholder:"DAY" help:"The first day: 2026-11-05, 2026-11 for a month, today or yesterday. Default: the first of this month."`
	To   string `placeholder:"DAY" help:"The last day. Default: today."`
	CSV  bool   `name:"csv" xor:"form" help:"Write CSV."`
	JSON bool   `xor:"form" help:"Print one JSON object per line."`
}

// table is a report on a terminal, with the same rows as objects.
type table struct {
	title    string // what is counted
	clock    string // as in files
	headings string
	rows     [][]any
	declines [][]any // a second table: why buyers declined
	objects  []wire.Object
	like     wire.Object // an object without values
}

// newTable makes a table of a list.
func newTable[T any](title, clock, headings string, list []T, cells func(T) []any, object func(T) wire.Object) table {
	var nothing T
	t := table{title: title, clock: clock, headings: headings, like: object(nothing)}
	for _, x := range list {
		t.rows, t.objects = append(t.rows, cells(x)), append(t.objects, object(x))
	}
	return t
}

// print reads a report in one snapshot, and prints it.
func (c *reportFlags) print(e cli.Env, read func(tx *store.Tx, r query.ReportRange) (table, error)) error {
	var t table
	var r query.ReportRange
	if err := e.WithReader(c.Data, func(tx *store.Tx) (err error) {
		if r, err = query.NewReportRange(tx, c.From, c.To, time.Now()); err == nil {
			t, err = read(tx, r)
		}
		return err
	}); lead.KindOf(err) == lead.Invalid {
		return errors.New("--" + cli.ErrorText(err))
	} else if err != nil {
		return err
	}
	if c.CSV || c.JSON {
		if r.Missing > manyMissing {
			fmt.Fprintln(e.Stderr, "foyer:", countedText(r))
		}
		return c.printObjects(e, t, r)
	}
	fmt.Fprintf(e.Stdout, "%s.\nFrom %s to %s, in days of %s. %s\n\n", t.title, r.From, r.To, r.Zone, countedText(r))
	if len(t.rows) == 0 {
		return cli.Sentence("There is nothing to report.")(e.Stdout)
	}
	if err := terminal.Table(e.Stdout, t.headings, t.rows); err != nil || len(t.declines) == 0 {
		return err
	}
	fmt.Fprintln(e.Stdout)
	return terminal.Table(e.Stdout, report.DeclinesHeadings, t.declines)
}

func (c *reportFlags) printObjects(e cli.Env, t table, r query.ReportRange) error {
	if c.JSON {
		for _, o := range t.objects {
			if err := e.PrintLine(report.Counted(o, r.Zone, t.clock)); err != nil {
				return err
			}
		}
		return nil
	}
	file := report.NewCSV(e.Stdout, report.Counted(t.like, r.Zone, t.clock))
	for _, o := range t.objects {
		if err := file.Write(report.Counted(o, r.Zone, t.clock)); err != nil {
			return err
		}
	}
	return file.Flush()
}

// manyMissing is more than is missing between two runs of the job that counts, unless that is new or began again.
const manyMissing = 10_000

// countedText says how complete a report is.
func countedText(r query.ReportRange) string {
	switch {
	case r.Missing == 0:
		return "All leads are counted."
	case r.Missing > manyMissing || r.UpTo.IsZero():
		return fmt.Sprintf("Leads are still being counted by the service: %s rows are missing.", terminal.Number(r.Missing))
	}
	return "Leads are counted up to " + r.UpTo.Format("2006-01-02 15:04:05 MST") + "."
}

type reportLeads struct {
	reportFlags
	By string `enum:"day,month,service" default:"day" placeholder:"WHAT" help:"A line for each day, month or service (default: ${default})."`
}

// Help explains the columns.
func (*reportLeads) Help() string {
	return "A lead counts on the day it was received, with where it stands now. SOLD is what buyers acknowledged, SHARE how much of the demand that is: of the leads that could be sold, " +
		"which are all without people who got a number to call (CALLED), leads that are withheld (repeats, and those of blocked sources) and closed ones. HELD leads look for a buyer, or did until they were too old, or are withheld. REVENUE is what buyers were charged for these leads, less returns that you approved, COST is what their sources ask for them, and MARGIN what is left: with them, OTHER are leads that are neither sold nor held. " + threeClocks
}

// threeClocks is why revenue differs from one page to another.
const threeClocks = "The same money counts in foyer report leads and sources on the day of the lead, in foyer report buyers on the day of the offer, and on a statement on the day of the charge: around the ends of a month they differ."

// Run prints the report.
func (c *reportLeads) Run(e cli.Env) error {
	return c.print(e, func(tx *store.Tx, r query.ReportRange) (table, error) {
		list, all, err := query.LeadsReport(tx, r, c.By)
		most := mostOf(list, func(row query.LeadsRow) int64 { return row.Received })
		costs := all.Cost != 0
		t := newTable("Leads by "+c.By+", counted when they were received, with what they brought in", report.WhenReceived, strings.ToUpper(c.By)+"\t"+report.LeadCountsHeadings(costs), list,
			func(row query.LeadsRow) []any { return report.LeadCountsRow(row, most, costs) }, func(row query.LeadsRow) wire.Object { return report.LeadCounts(c.By, row) })
		all.Key = "all"
		t.rows = append(t.rows, report.LeadCountsRow(all, 0, costs))
		return t, err
	})
}

func mostOf(list []query.LeadsRow, number func(query.LeadsRow) int64) (most int64) {
	for _, row := range list {
		most = max(most, number(row))
	}
	return most
}

type reportCoverage struct {
	reportFlags
	By      string `enum:"state,zip" default:"state" placeholder:"WHAT" help:"A line for each state or zip code (default: ${default})."`
	Service string `placeholder:"SERVICES" help:"Only leads for these services, separated by commas."`
	State   string `placeholder:"STATES" help:"Only leads in these states, such as GA. ZIP codes are listed for states alone."`
	Limit   int    `default:"30" placeholder:"N" help:"How many places to list: those with the most uncovered leads (default: ${default}). CSV and JSON have all."`

	filter query.CoverageFilter
}

// Help explains the columns.
func (*reportCoverage) Help() string {
	return "A lead counts in the month it was received, with where it stands now. DEMAND is what could be sold. Of what was not, UNCOVERED means that no buyer takes such leads there. The other columns mean that a buyer would, but " +
		"had no MONEY left (in its account, or of its budget for the day or month), had reached its CAPS, was closed at that time (HOURS), did not answer (SILENT), was PAUSED, DECLINED, or something else (OTHER): buyers are being asked, have not acknowledged it, or want only leads of another kind. " +
		"A lead with several reasons counts for the first of them. REVENUE is what buyers were charged for the leads, less what they got back. Places are counted by whole months."
}

// AfterApply validates the filters.
func (c *reportCoverage) AfterApply() error {
	if err := cli.CheckLimit(c.Limit, "places"); err != nil {
		return err
	}
	filter, err := query.NewCoverageFilter(c.By, c.Service, c.State)
	if c.filter = filter; err != nil {
		return errors.New("--" + cli.ErrorText(err))
	}
	return nil
}

// Run prints the report.
func (c *reportCoverage) Run(e cli.Env) error {
	return c.print(e, func(tx *store.Tx, r query.ReportRange) (table, error) {
		if c.filter.Limit = c.Limit; c.CSV || c.JSON {
			c.filter.Limit = 0
		}
		list, all, err := query.CoverageReport(tx, r, c.filter)
		for i := range list {
			list[i].Key = cmp.Or(list[i].Key, "unknown")
		}
		t := newTable("Demand and coverage by "+c.By+", counted when leads were received", report.WhenReceivedByMonth, strings.ToUpper(c.By)+"\t"+report.CoverageHeadings, list,
			report.CoverageRow, func(row query.LeadsRow) wire.Object { return report.CoverageCounts(c.By, row) })
		all.Key = "all"
		t.rows = append(t.rows, report.CoverageRow(all))
		return t, err
	})
}

type reportSources struct {
	reportFlags
	By string `enum:"source,campaign" default:"source" placeholder:"WHAT" help:"A line for each source or campaign (default: ${default})."`
}

// Help explains the columns.
func (*reportSources) Help() string {
	return "Leads count on the day they were received, with where they stand now; so does what buyers were charged for them (REVENUE, less what they got back) and what their sources ask for them (COST). " +
		"Of the leads that could be sold, a source is paid for as many as its caps allow (PAID FOR); not for calls, repeats, and leads that are withheld or closed. Leads that buyers gave back still cost. " +
		"A campaign is what the address of the page named as utm_source, utm_medium and utm_campaign; leads without one are not listed."
}

// Run prints the report.
func (c *reportSources) Run(e cli.Env) error {
	return c.print(e, func(tx *store.Tx, r query.ReportRange) (table, error) {
		if c.By == "campaign" {
			list, err := query.CampaignsReport(tx, r)
			most := mostOf(list, func(row query.LeadsRow) int64 { return row.Received })
			return newTable("Leads by campaign, counted when they were received", report.WhenReceived, report.CampaignCountsHeadings, list,
				func(row query.LeadsRow) []any { return report.CampaignCountsRow(row, most) }, func(row query.LeadsRow) wire.Object { return report.CampaignCounts(c.By, row) }), err
		}
		list, all, err := query.SourcesReport(tx, r)
		t := newTable("Leads and money by source, counted when leads were received", report.WhenReceived, report.SourceCountsHeadings, list, report.SourceCountsRow, report.SourceCounts)
		all.Name = "all"
		t.rows = append(t.rows, report.SourceCountsRow(all))
		return t, err
	})
}

type reportBuyers struct{ reportFlags }

// Help explains the columns.
func (*reportBuyers) Help() string {
	return "Everything counts on the day of the offer, only FAILED and what was DECLINED on the day they came. OFFERED are offers: a lead that is offered again to the same buyer counts again. FAILED are messages that brought no decision: no answer in time, or none that could be read; most are sent again. " +
		"RETURNED are leads that came back, whatever you decided; REVENUE is what the buyer was charged, less returns that you approved. Days are those of the report; caps and foyer buyers show go by the buyer's own time zone. " + threeClocks
}

// Run prints the report.
func (c *reportBuyers) Run(e cli.Env) error {
	return c.print(e, func(tx *store.Tx, r query.ReportRange) (table, error) {
		list, all, err := query.BuyersReport(tx, r)
		t := newTable("Offers by buyer, counted when they were made; answers when they came", report.WhenOffered, report.BuyerCountsHeadings, list, report.BuyerCountsRow, report.BuyerCounts)
		for _, row := range list {
			t.declines = append(t.declines, report.DeclinesRows(row)...)
		}
		if len(list) > 1 {
			all.Buyer.Terms.Name = "all"
			t.rows = append(t.rows, report.BuyerCountsRow(all))
		}
		return t, err
	})
}

type reportReturns struct{ reportFlags }

// Help explains the columns.
func (*reportReturns) Help() string {
	return "A return counts on the day it came. RETURNED are all of them: those that are WAITING for you, and those that were APPROVED or DENIED. CREDITED is what buyers got back for them; on a statement it counts on the day it was approved."
}

// Run prints the report.
func (c *reportReturns) Run(e cli.Env) error {
	return c.print(e, func(tx *store.Tx, r query.ReportRange) (table, error) {
		list, err := query.ReturnsReport(tx, r)
		return newTable("Returns by buyer and code, counted when they came", report.WhenReturned, report.ReturnCountsHeadings, list, report.ReturnCountsRow, report.ReturnCounts), err
	})
}

type reportSpeed struct {
	reportFlags
	By string `enum:"day,month" default:"day" placeholder:"WHAT" help:"A line for each day or month (default: ${default})."`
}

// Help explains the columns.
func (*reportSpeed) Help() string {
	return "Half of the leads waited at most as long as HALF WITHIN says, and 95 of 100 at most as long as 95 % WITHIN. Waits are counted in steps, so these times are up to 9 % longer than the wait itself. " +
		"A lead that nobody could be asked about at first, because buyers were closed, capped or without money, waits until somebody is asked."
}

// Run prints the report.
func (c *reportSpeed) Run(e cli.Env) error {
	return c.print(e, func(tx *store.Tx, r query.ReportRange) (table, error) {
		list, all, err := query.SpeedReport(tx, r, c.By)
		t := newTable("Time until a buyer was first asked, and until one had the contact; leads count when they were received", report.WhenReceived, strings.ToUpper(c.By)+"\t"+report.SpeedHeadings, list,
			report.SpeedRow, func(row query.SpeedRow) wire.Object { return report.Speed(c.By, row) })
		t.rows = append(t.rows, report.SpeedRow(all))
		return t, err
	})
}

type reportRebuild struct {
	config.Data
	TimeZone config.Zone `name:"time-zone" placeholder:"ZONE" help:"Time zone of days and months, such as America/New_York. Default: the one in which leads were counted."`
}

// Help explains what happens.
func (*reportRebuild) Help() string {
	return "The counts are emptied and counted again by the running service, in the background, with the days and months of --time-zone. Until that is done, reports are incomplete. " +
		"Needed if the time zone is to change, or if foyer db check finds that counts are wrong."
}

// Run has everything counted again.
func (c *reportRebuild) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) error {
		zone, err := op.RebuildCounts(e.Ctx, e.By, c.TimeZone.Location)
		if err != nil {
			return err
		}
		return cli.Sentence("A running service counts leads again now, in days of %s. foyer db status says how much is missing.", zone)(e.Stdout)
	})
}
