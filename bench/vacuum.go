package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"foyer/internal/store/queue"
	"foyer/test/postgres"
)

const (
	vacuumRate  = 400 // leads a second: what two cores carry with room for what else comes, with the load and the buyers on them
	queryTimes  = 21
	firstMinute = 5 // which the last one is compared with
)

// queueState is what the queue of the forwarder looks like at the end of a minute.
type queueState struct {
	minute   int
	through  float64 // leads a second in this minute
	size     float64 // of the queue's tables and their indexes, in MB
	dead     int     // versions of rows that nobody needs any more
	waiting  int     // rows in the queue
	scanTime float64 // of a search for what is due, in ms
}

// benchVacuum forwards at full load with autovacuum as PostgreSQL ships it, and watches the tables whose rows come and go.
func benchVacuum(w io.Writer, folder string, s settings) error {
	db, err := postgres.New(postgres.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	database, err := db.NewDatabase()
	if err != nil {
		return err
	}
	service, buyers, err := startWithBuyers(s.binary, subfolder(folder, "vacuum"), database)
	if err != nil {
		return err
	}
	defer service.kill()
	pool, err := sql.Open("pgx", database)
	if err != nil {
		return err
	}
	defer pool.Close()
	load := make(chan error, 1)
	go func() {
		_, err := runPaced(service.address, variedLead("/v1/intake", 202), 64, vacuumRate, time.Duration(s.minutes)*time.Minute)
		load <- err
	}()
	states, err := watchQueue(w, pool, buyers, s.minutes)
	if err := errors.Join(err, <-load); err != nil {
		return err
	}
	reportVacuum(w, states)
	if s.chart == "" {
		return nil
	}
	return os.WriteFile(s.chart, []byte(vacuumChart(states)), 0o644)
}

// watchQueue looks at the queue at the end of every minute.
func watchQueue(w io.Writer, pool *sql.DB, buyers *testBuyers, minutes int) (states []queueState, err error) {
	fmt.Fprintln(w, "minute  through a second  queue tables, MB  dead rows  rows  scan, ms")
	for minute := range minutes {
		before := buyers.delivered.Load()
		time.Sleep(time.Minute)
		st := queueState{minute: minute + 1, through: float64(buyers.delivered.Load()-before) / 60}
		if err := st.read(pool); err != nil {
			return states, err
		}
		states = append(states, st)
		fmt.Fprintf(w, "%6d  %16.0f  %16.2f  %9d  %4d  %8.2f\n", st.minute, st.through, st.size, st.dead, st.waiting, st.scanTime)
	}
	return states, nil
}

func (st *queueState) read(pool *sql.DB) error {
	err := pool.QueryRow(`SELECT sum(pg_total_relation_size(relid)) / 1e6, sum(n_dead_tup) FROM pg_stat_user_tables WHERE relname IN ('deliveries', 'new_leads')`).Scan(&st.size, &st.dead)
	if err != nil {
		return err
	}
	if err := pool.QueryRow(`SELECT (SELECT count(*) FROM deliveries) + (SELECT count(*) FROM new_leads)`).Scan(&st.waiting); err != nil {
		return err
	}
	var times []float64
	for range queryTimes {
		query, args := queue.Due("", time.Now(), 64, queue.Start{}, false)
		began := time.Now()
		found, err := pool.QueryContext(context.Background(), query, args...)
		if err != nil {
			return err
		}
		for found.Next() {
		}
		if err := errors.Join(found.Err(), found.Close()); err != nil {
			return err
		}
		times = append(times, 1000*time.Since(began).Seconds())
	}
	slices.Sort(times)
	st.scanTime = times[len(times)/2]
	return nil
}

func reportVacuum(w io.Writer, states []queueState) {
	last, first := states[len(states)-1], states[min(firstMinute, len(states))-1]
	fmt.Fprintf(w, "minute %d / minute %d: size %.2f, scan %.2f (asked for: at most 1.5 each)\n", last.minute, first.minute, last.size/first.size, last.scanTime/first.scanTime)
}

// vacuumChart draws size and scan time over the minutes, each from zero to its maximum.
func vacuumChart(states []queueState) string {
	const width, height, left, top = 560.0, 120.0, 70.0, 40.0
	var panels strings.Builder
	for i, panel := range []struct {
		name, unit string
		value      func(queueState) float64
	}{
		{"size of the queue's tables and indexes", "MB", func(st queueState) float64 { return st.size }},
		{"time of a scan for what is due", "ms", func(st queueState) float64 { return st.scanTime }},
	} {
		most := 0.0
		for _, st := range states {
			most = max(most, panel.value(st))
		}
		y := top + float64(i)*(height+70)
		var points []string
		for _, st := range states {
			points = append(points, fmt.Sprintf("%.1f,%.1f", left+width*float64(st.minute)/float64(len(states)), y+height*(1-panel.value(st)/most)))
		}
		fmt.Fprintf(&panels, `<text x="%.0f" y="%.0f">%s</text>`+"\n", left, y-12, panel.name)
		fmt.Fprintf(&panels, `<path d="M%.0f %.0f V%.0f H%.0f" class="axis"/><polyline points="%s"/>`+"\n", left, y, y+height, left+width, strings.Join(points, " "))
		fmt.Fprintf(&panels, `<text x="%.0f" y="%.0f" text-anchor="end">%.1f %s</text><text x="%.0f" y="%.0f" text-anchor="end">0</text>`+"\n", left-8, y+10, most, panel.unit, left-8, y+height)
		fmt.Fprintf(&panels, `<text x="%.0f" y="%.0f" text-anchor="end">minute %d</text>`+"\n", left+width, y+height+18, len(states))
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" role="img" aria-label="Size and scan time of the queue over %d minutes at full load">
<style>
text { font: 13px system-ui, sans-serif; fill: #1c2321 }
polyline { fill: none; stroke: #0b5d56; stroke-width: 2 } .axis { fill: none; stroke: #8a9490 }
@media (prefers-color-scheme: dark) { text { fill: #e6ebe9 } polyline { stroke: #3aa197 } }
</style>
%s</svg>
`, left+width+20, top+2*(height+70), len(states), panels.String())
}
