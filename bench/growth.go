package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"foyer/bench/seed"
	"foyer/test/postgres"
)

const (
	nearlyEmpty = 1000   // leads of the baseline store: lookups need something to find
	maxLookups  = 20_000 // ids to look up, spread over the whole store
	warmUp      = 500 * time.Millisecond

	buyersTakeEffect = 3 * time.Second
)

// seededStore is a store of some size, and what was measured on it.
type seededStore struct {
	testDatabase
	label          string // instead of the number of leads
	leads          int
	ids            []string
	intake, lookup []measured // round by round
	forwarding     []measured
}

func (st *seededStore) name() string {
	switch {
	case st.label != "":
		return st.label
	case st.leads == nearlyEmpty:
		return "empty"
	case st.leads%1_000_000 == 0:
		return fmt.Sprintf("%d M", st.leads/1_000_000)
	}
	return strconv.Itoa(st.leads)
}

// benchGrowth measures what an intake, a lookup, a list and forwarding cost on large stores, as ratios to one that is nearly empty.
func benchGrowth(w io.Writer, folder string, s settings) error {
	newDatabase := func(name string) (testDatabase, error) { return newSQLite(folder, name) }
	if s.stores != "" {
		folder = s.stores
	}
	if s.postgres {
		db, err := postgres.New(postgres.Options{})
		if err != nil {
			return err
		}
		defer db.Close()
		newDatabase = func(name string) (testDatabase, error) { return newPostgres(db, folder, name) }
	}
	stores, err := seedStores(newDatabase, s.leads)
	if err != nil {
		return err
	}
	if s.console {
		return benchConsole(w, s, stores)
	}
	if err := errors.Join(reportSearches(w, stores), reportReports(w, stores)); err != nil { // before the service adds leads that its jobs follow only later
		return err
	}
	for round := range s.rounds + 1 {
		fmt.Fprintf(os.Stderr, "\rround %d of %d", round, s.rounds)
		for _, st := range stores {
			intake, lookup, err := st.measure(s.binary, s.duration)
			if err != nil {
				return fmt.Errorf("%s: %w", st.name(), err)
			}
			if round > 0 { // the first warms everything up
				st.intake, st.lookup = append(st.intake, intake), append(st.lookup, lookup)
			}
		}
	}
	fmt.Fprintln(os.Stderr)
	reportGrowth(w, stores)
	if err := reportLists(w, s.binary, stores); err != nil {
		return err
	}
	return benchForwardGrowth(w, s, stores)
}

// growthRate is how many leads a second are forwarded on each store: few enough that all go through.
const growthRate = 400

// benchForwardGrowth measures what it costs to take a lead in and to pass it on. It comes last, because buyers stay in the stores.
func benchForwardGrowth(w io.Writer, s settings, stores []*seededStore) error {
	buyers, err := startTestBuyers()
	if err != nil {
		return err
	}
	for round := range s.rounds {
		fmt.Fprintf(os.Stderr, "\rforwarding, round %d of %d", round+1, s.rounds)
		for _, st := range stores {
			m, err := st.measureForwarding(s.binary, buyers)
			if err != nil {
				return fmt.Errorf("forwarding, %s: %w", st.name(), err)
			}
			st.forwarding = append(st.forwarding, m)
		}
	}
	fmt.Fprintln(os.Stderr)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\n%d leads a second, both steps\tms CPU a lead\tCPU / empty\tfrom created to offer p50, ms\tp99\n", growthRate)
	millis := func(runs []measured, number func(measured) float64) spread { return spreadOf(each(runs, number)) }
	for _, st := range stores {
		fmt.Fprintf(table, "%s\t%.2f\t%s\t%s\t%s\n", st.name(), millis(st.forwarding, cpuEach).median/float64(time.Millisecond), ratios(st.forwarding, stores[0].forwarding, cpuEach),
			millis(st.forwarding, func(m measured) float64 { return 1000 * m.percentile(0.5).Seconds() }), millis(st.forwarding, func(m measured) float64 { return 1000 * m.percentile(0.99).Seconds() }))
	}
	fmt.Fprintln(table, "asked for: CPU on 5 M / empty at most 1.3")
	return table.Flush()
}

// measureForwarding restarts the service, sends leads, and waits until buyers have all of them.
func (st *seededStore) measureForwarding(binary string, buyers *testBuyers) (measured, error) {
	if st.leads == nearlyEmpty {
		if err := st.refill(); err != nil {
			return measured{}, err
		}
	}
	s, err := st.start(binary, "--allow-private-buyers")
	if err != nil {
		return measured{}, err
	}
	defer s.quit()
	if st.leads == nearlyEmpty || len(st.forwarding) == 0 {
		if err := buyers.addWithoutHeld(binary, st.database, 3); err != nil {
			return measured{}, err
		}
	}
	time.Sleep(buyersTakeEffect)
	before, sent := st.cpu(), buyers.delivered.Load()
	f, err := forwardAtRate(buyers, growthRate, s)
	sent = buyers.delivered.Load() - sent
	if err != nil || len(f.waits) == 0 || sent != f.sent {
		return measured{}, fmt.Errorf("%d of %d leads went through, %v", sent, f.sent, err)
	}
	return measured{result{done: int(sent), elapsed: forwardLoad, latencies: f.waits}, f.cpu + (st.cpu()-before)/time.Duration(sent)}, nil
}

// seedStores creates the stores, or finds those of an earlier run.
func seedStores(newDatabase func(name string) (testDatabase, error), leads string) ([]*seededStore, error) {
	stores := []*seededStore{{leads: nearlyEmpty}}
	for word := range strings.SplitSeq(leads, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n <= nearlyEmpty {
			return nil, fmt.Errorf("-leads %q: give whole numbers above %d", leads, nearlyEmpty)
		}
		stores = append(stores, &seededStore{leads: n})
	}
	for _, st := range stores {
		var err error
		if st.testDatabase, err = newDatabase(strconv.Itoa(st.leads)); err == nil {
			err = st.seed()
		}
		if err != nil {
			return nil, err
		}
	}
	return stores, nil
}

func (st *seededStore) seed() (err error) {
	if !st.isSeeded() {
		began := time.Now()
		if err := seed.Fill(context.Background(), st.database, st.leads, began); err != nil {
			return err
		}
		if st.leads > nearlyEmpty {
			fmt.Fprintf(os.Stderr, "%d leads in %v\n", st.leads, time.Since(began).Round(time.Second))
		}
	}
	st.ids, err = st.sampleIDs(st.leads)
	return err
}

// measure restarts the service and puts load on it, so that the process has the same age for every store. The nearly empty
// store is recreated each time, because the intake would soon fill it.
func (st *seededStore) measure(binary string, duration time.Duration) (intake, lookup measured, err error) {
	if st.leads == nearlyEmpty {
		if err := st.refill(); err != nil {
			return intake, lookup, err
		}
	}
	s, err := st.start(binary)
	if err != nil {
		return intake, lookup, err
	}
	defer s.quit()
	if lookup, err = st.measureLoad(s, lookups(st.ids), duration); err == nil {
		intake, err = st.measureLoad(s, variedLead("/v1/intake", 202), duration)
	}
	return intake, lookup, err
}

// start starts the service on the store. Its leads came without a service, so that a database on a server has no keys yet.
func (st *seededStore) start(binary string, flags ...string) (*server, error) {
	if out, err := exec.Command(binary, "keys", "init", "--database", st.database).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("keys init: %w: %s", err, out)
	}
	return startFoyer(binary, st.folder, append(flags, "--database", st.database)...)
}

// refill makes a store as it was before anything was measured on it.
func (st *seededStore) refill() error {
	if err := st.clear(); err != nil {
		return err
	}
	return st.seed()
}

// measureLoad measures a load, after a warm-up that does not count.
func (st *seededStore) measureLoad(s *server, req loadRequest, duration time.Duration) (measured, error) {
	const connections = 64
	if _, err := runLoad(s.address, req, connections, warmUp); err != nil {
		return measured{}, err
	}
	before := s.cpu() + st.cpu()
	r, err := runLoad(s.address, req, connections, duration)
	if err != nil || r.done == 0 || r.wrong > 0 {
		return measured{}, fmt.Errorf("%d good answers, %d wrong, %v", r.done, r.wrong, err)
	}
	return measured{r, (s.cpu() + st.cpu() - before) / time.Duration(r.done)}, nil
}

// quit stops a process gracefully: the log of its database reaches the file.
func (s *server) quit() {
	s.cmd.Process.Signal(syscall.SIGTERM)
	s.cmd.Wait()
}

func reportGrowth(w io.Writer, stores []*seededStore) {
	micros := func(runs []measured) float64 { return spreadOf(each(runs, cpuEach)).median / float64(time.Microsecond) }
	p99 := func(m measured) float64 { return m.percentile(0.99).Seconds() }
	base := stores[0]
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "store\tintake µs CPU\tCPU / empty\tthroughput / empty\tp99 / empty\tlook-up µs CPU\tCPU / empty\tthroughput / empty\tp99 / empty")
	for _, st := range stores {
		fmt.Fprintf(table, "%s\t%.1f\t%s\t%s\t%s\t%.1f\t%s\t%s\t%s\n", st.name(),
			micros(st.intake), ratios(st.intake, base.intake, cpuEach), ratios(st.intake, base.intake, throughput), ratios(st.intake, base.intake, p99),
			micros(st.lookup), ratios(st.lookup, base.lookup, cpuEach), ratios(st.lookup, base.lookup, throughput), ratios(st.lookup, base.lookup, p99))
	}
	table.Flush()
	fmt.Fprintln(w, "asked for: CPU of an intake on 5 M / empty at most 1.2, of a look-up at most 1.6")
}
