package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"text/tabwriter"
	"time"

	"foyer/bench/seed"
	"foyer/internal/buyer"
	leadpkg "foyer/internal/lead" // lead is a request here
	"foyer/internal/operator/query"
	"foyer/internal/store"
)

const (
	listLength = 50
	listTimes  = 9
)

// reportLists measures reading the newest leads of each status, as foyer leads list does: in this process, and once by the
// command itself, next to a command that opens nothing.
func reportLists(w io.Writer, binary string, stores []*seededStore) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\nnewest %d\tstore\tlisted\tms\tfoyer leads list ms\tfoyer version ms\n", listLength)
	for _, status := range append([]leadpkg.Status{""}, leadpkg.Statuses...) {
		if status == leadpkg.Validated { // a dry run, which is not stored
			continue
		}
		for _, st := range stores {
			listed, took, err := st.list(status)
			if err != nil {
				return err
			}
			args := []string{"leads", "list", "--database", st.database}
			if status != "" {
				args = append(args, "--status", string(status))
			}
			typed, err := timed(binary, args...)
			if err != nil {
				return err
			}
			bare, err := timed(binary, "version")
			if err != nil {
				return err
			}
			fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%.0f\t%.0f\n", status, st.name(), listed, took, typed, bare)
		}
	}
	fmt.Fprintln(table, "asked for: under 20 ms")
	return table.Flush()
}

// searches are what operators look for. The last ones are served by no index.
var searches = []struct {
	name   string
	filter store.LeadFilter
}{
	{"a phone number", store.LeadFilter{Phones: []string{seed.Phone}}},
	{"an e-mail address", store.LeadFilter{Emails: []string{seed.Email}}},
	{"a ZIP code", store.LeadFilter{ZIPs: []string{"33139"}}},
	{"a buyer", store.LeadFilter{Buyers: []string{seed.Buyer}}},
	{"a buyer, before a month", store.LeadFilter{Buyers: []string{seed.Buyer}, Received: store.Span{To: time.Now().AddDate(0, -1, 0)}}},
	{"a service", store.LeadFilter{Services: []leadpkg.Service{leadpkg.HVAC}}},
	{"a state", store.LeadFilter{InState: func(zip string) bool { return buyer.StateOf(zip) == "WY" }}},
	{"received in an hour a month ago", store.LeadFilter{Received: store.Span{From: time.Now().AddDate(0, -1, 0), To: time.Now().AddDate(0, -1, 0).Add(time.Hour)}}},
	{"sold in an hour a month ago", store.LeadFilter{Sold: store.Span{From: time.Now().AddDate(0, -1, 0), To: time.Now().AddDate(0, -1, 0).Add(time.Hour)}}},
	{"a buyer that was asked", store.LeadFilter{Offered: []string{seed.Buyer}}},
	{"an outcome", store.LeadFilter{Outcomes: []buyer.Outcome{buyer.OutcomeUncovered}}},
	{"an outcome that no lead has", store.LeadFilter{Outcomes: []buyer.Outcome{buyer.OutcomeNoMoney}}},
	{"an outcome in a state", store.LeadFilter{Outcomes: []buyer.Outcome{buyer.OutcomeError}, InState: func(zip string) bool { return buyer.StateOf(zip) == "WY" }}},
	{"a source that no lead has", store.LeadFilter{Sources: []string{"src_none"}}},
	{"a buyer and a ZIP code", store.LeadFilter{Buyers: []string{seed.Buyer}, ZIPs: []string{"33139"}}},
	{"a mark that no lead has", store.LeadFilter{Marks: []leadpkg.Mark{leadpkg.Automated}}},
	{"a name in a month", store.LeadFilter{Name: "nobody", Received: store.Span{From: time.Now().AddDate(0, -1, 0)}}},
}

// reportSearches measures the first page of searches in this process.
func reportSearches(w io.Writer, stores []*seededStore) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nfirst page of 50\tstore\tfound\tms\tcomplete")
	for _, s := range searches {
		for _, st := range stores {
			found, took, err := st.find(s.filter)
			if err != nil {
				return err
			}
			fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%v\n", s.name, st.name(), len(found.Leads), took, found.SearchedTo.IsZero())
		}
	}
	fmt.Fprintln(table, "asked for: 50 ms on SQLite and 80 ms on PostgreSQL if it is complete, 200 ms if not")
	return table.Flush()
}

// find searches a few times, each time with a new reader.
func (st *seededStore) find(f store.LeadFilter) (found store.FoundLeads, took spread, err error) {
	times, err := st.timedReads(func(tx *store.Tx) (err error) {
		began := time.Now()
		found, err = tx.FindLeads(f, seed.SearchKey, store.LeadPage{Limit: listLength, Ended: func() bool { return time.Since(began) > query.SearchTime }})
		return err
	})
	return found, spreadOf(times), err
}

// timedReads reads a few times, each time with a new reader, and returns the milliseconds that each took.
func (st *seededStore) timedReads(read func(*store.Tx) error) (times []float64, err error) {
	for range listTimes {
		began := time.Now()
		reader, err := store.OpenReader(context.Background(), st.database)
		if err != nil {
			return nil, err
		}
		err = reader.View(context.Background(), read)
		times = append(times, 1e3*time.Since(began).Seconds())
		if err = errors.Join(err, reader.Close()); err != nil {
			return nil, err
		}
	}
	return times, nil
}

// list reads the newest leads of a status a few times, each time with a new reader. It returns how many there were, and the
// milliseconds it took.
func (st *seededStore) list(status leadpkg.Status) (listed int, took spread, err error) {
	var f store.LeadFilter
	if status != "" {
		f.Statuses = []leadpkg.Status{status}
	}
	found, took, err := st.find(f)
	return len(found.Leads), took, err
}

// timed runs a command and returns the milliseconds it took.
func timed(binary string, args ...string) (float64, error) {
	began := time.Now()
	out, err := exec.Command(binary, args...).CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s: %w: %s", args[0], err, out)
	}
	return 1e3 * time.Since(began).Seconds(), nil
}
