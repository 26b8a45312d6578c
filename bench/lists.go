package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"text/tabwriter"
	"time"

	leadpkg "foyer/internal/lead" // lead is a request here
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
			typed, err := timed(binary, "leads", "list", "--database", st.database, "--status", string(status))
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

// list reads the newest leads of a status a few times, each time with a new reader. It returns how many there were, and the
// milliseconds it took.
func (st *seededStore) list(status leadpkg.Status) (listed int, took spread, err error) {
	var times []float64
	for range listTimes {
		began := time.Now()
		reader, err := store.OpenReader(context.Background(), st.database)
		if err != nil {
			return 0, took, err
		}
		err = reader.View(context.Background(), func(tx *store.Tx) error {
			var f store.LeadFilter
			if status != "" {
				f.Statuses = []leadpkg.Status{status}
			}
			found, err := tx.FindLeads(f, nil, store.LeadPage{Limit: listLength})
			listed = len(found.Leads)
			return err
		})
		times = append(times, 1e3*time.Since(began).Seconds())
		if closed := reader.Close(); err != nil || closed != nil {
			return 0, took, fmt.Errorf("%v, %v", err, closed)
		}
	}
	return listed, spreadOf(times), nil
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
