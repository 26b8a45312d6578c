package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"foyer/bench/seed"
	"foyer/internal/operator/query"
	"foyer/internal/store"
	"foyer/test/postgres"
)

// benchReports measures reports over a year on both engines, on counts as dense as 5 million leads make them.
func benchReports(w io.Writer, folder string) error {
	sqlite, err := newSQLite(folder, "reports")
	if err != nil {
		return err
	}
	databases := []testDatabase{sqlite}
	server, err := postgres.New(postgres.Options{})
	switch {
	case errors.Is(err, postgres.ErrMissing):
		fmt.Fprintf(w, "PostgreSQL: left out: %v\n", err)
	case err != nil:
		return err
	default:
		defer server.Close()
		database, err := newPostgres(server, folder, "reports-postgres")
		if err != nil {
			return err
		}
		databases = append(databases, database)
	}
	var stores []*seededStore
	for _, d := range databases {
		if err := seed.FillCounts(context.Background(), d.database, time.Now().UTC()); err != nil {
			return err
		}
		stores = append(stores, &seededStore{testDatabase: d, label: d.driver})
	}
	return reportReports(w, stores)
}

// reports are the reports over all leads, as one year's.
var reports = []struct {
	name string
	read func(tx *store.Tx, r query.ReportRange) error
}{
	{"leads by day", func(tx *store.Tx, r query.ReportRange) error {
		_, _, err := query.LeadsReport(tx, r, "day")
		return err
	}},
	{"leads by service", func(tx *store.Tx, r query.ReportRange) error {
		_, _, err := query.LeadsReport(tx, r, "service")
		return err
	}},
	{"coverage by state", func(tx *store.Tx, r query.ReportRange) error {
		_, _, err := query.CoverageReport(tx, r, query.CoverageFilter{By: "state"})
		return err
	}},
	{"coverage by ZIP code in Texas", func(tx *store.Tx, r query.ReportRange) error {
		_, _, err := query.CoverageReport(tx, r, query.CoverageFilter{By: "zip", States: []string{"TX"}, Limit: 30})
		return err
	}},
	{"buyers", func(tx *store.Tx, r query.ReportRange) error {
		_, _, err := query.BuyersReport(tx, r)
		return err
	}},
	{"speed", func(tx *store.Tx, r query.ReportRange) error {
		_, _, err := query.SpeedReport(tx, r, "day")
		return err
	}},
	{"speed by month", func(tx *store.Tx, r query.ReportRange) error {
		_, _, err := query.SpeedReport(tx, r, "month")
		return err
	}},
	{"sources", func(tx *store.Tx, r query.ReportRange) error {
		_, _, err := query.SourcesReport(tx, r)
		return err
	}},
	{"campaigns", func(tx *store.Tx, r query.ReportRange) error { _, err := query.CampaignsReport(tx, r); return err }},
	{"returns", func(tx *store.Tx, r query.ReportRange) error { _, err := query.ReturnsReport(tx, r); return err }},
}

// reportReports measures reports over a year in this process.
func reportReports(w io.Writer, stores []*seededStore) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nreport over a year\tstore\tms")
	now := time.Now().UTC()
	for _, rep := range reports {
		for _, st := range stores {
			times, err := st.timedReads(func(tx *store.Tx) error {
				r, err := query.NewReportRange(tx, now.AddDate(-1, 0, 0).Format("2006-01"), now.Format("2006-01"), now)
				if err != nil {
					return err
				}
				return rep.read(tx, r)
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(table, "%s\t%s\t%s\n", rep.name, st.name(), spreadOf(times))
		}
	}
	fmt.Fprintln(table, "asked for: 100 ms")
	return table.Flush()
}
