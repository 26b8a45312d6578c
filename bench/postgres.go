package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"foyer/internal/store"
	"foyer/test/postgres"
)

// postgresBench measures the intake on PostgreSQL, with everything else in the same rounds.
type postgresBench struct {
	binary, folder string
	server         *postgres.Server
	variants       []*variant
	started        []*server
	stores         []*store.Store
}

// variant is one way to store leads.
type variant struct {
	name string
	run  func(duration time.Duration) (result, error)
	cpu  func() time.Duration
	runs []measured
}

// benchPostgres measures the intake on PostgreSQL next to SQLite and PostgreSQL's own benchmark, by two processes, and with
// buyers.
func benchPostgres(w io.Writer, folder string, s settings) error {
	db, err := postgres.New(postgres.Options{Settings: []string{"max_connections=200"}}) // five processes with 15 each, pgbench with 64
	if err != nil {
		return err
	}
	defer db.Close()
	pb := &postgresBench{binary: s.binary, folder: folder, server: db}
	defer pb.stop()
	if err := pb.start(); err != nil {
		return err
	}
	for round := range s.rounds + 1 {
		fmt.Fprintf(os.Stderr, "\rround %d of %d", round, s.rounds)
		for _, v := range pb.variants {
			if err := v.measure(s.duration, round > 0); err != nil {
				return err
			}
		}
	}
	fmt.Fprintln(os.Stderr)
	pb.report(w)
	return nil
}

func (pb *postgresBench) stop() {
	for _, s := range pb.stores {
		s.Close()
	}
	for _, s := range pb.started {
		s.resume()
		s.kill()
	}
}

func (v *variant) measure(duration time.Duration, counts bool) error {
	before := v.cpu()
	r, err := v.run(duration)
	if err != nil || r.done == 0 || r.wrong > 0 {
		return fmt.Errorf("%s: %d good answers, %d wrong, %v", v.name, r.done, r.wrong, err)
	}
	if counts { // the first round warms everything up
		v.runs = append(v.runs, measured{r, (v.cpu() - before) / time.Duration(r.done)})
	}
	return nil
}

// start starts all variants. Those that are not being measured are paused.
func (pb *postgresBench) start() error {
	noop, err := startPeer("noop")
	if err != nil {
		return err
	}
	pb.started = append(pb.started, noop)
	noop.pause()
	onFile, err := pb.startPaused("sqlite", "sqlite:"+filepath.Join(subfolder(pb.folder, "sqlite"), "foyer.db"))
	if err != nil {
		return err
	}
	alone, err := pb.server.NewDatabase()
	if err != nil {
		return err
	}
	single, err := pb.startPaused("alone", alone)
	if err != nil {
		return err
	}
	pair, err := pb.pair()
	if err != nil {
		return err
	}
	served, err := pb.server.NewDatabase()
	if err != nil {
		return err
	}
	busy, err := pb.withBuyers("buyers", served)
	if err != nil {
		return err
	}
	busyFile, err := pb.withBuyers("buyers-sqlite", "sqlite:"+filepath.Join(subfolder(pb.folder, "buyers-sqlite"), "foyer.db"))
	if err != nil {
		return err
	}
	bench, err := pb.pgbench()
	if err != nil {
		return err
	}
	bare, err := pb.server.NewDatabase()
	if err != nil {
		return err
	}
	without, err := pb.storeVariant("PostgreSQL, the store alone", bare)
	if err != nil {
		return err
	}
	pb.variants = []*variant{
		pb.newVariant("no-op POST", post("/bytes/700", lead, 200), noop),
		pb.newVariant("SQLite", variedLead("/v1/intake", 202), onFile),
		pb.newVariant("SQLite, three buyers", variedLead("/v1/intake", 202), busyFile),
		pb.newVariant("PostgreSQL", variedLead("/v1/intake", 202), single),
		pb.newVariant("PostgreSQL, two processes", variedLead("/v1/intake", 202), pair...),
		pb.newVariant("PostgreSQL, three buyers", variedLead("/v1/intake", 202), busy),
		without,
		bench,
	}
	return nil
}

// startPaused starts the service on a database, and pauses it.
func (pb *postgresBench) startPaused(name, database string, flags ...string) (*server, error) {
	s, err := startFoyer(pb.binary, subfolder(pb.folder, name), append(flags, "--database", database)...)
	if err == nil {
		pb.started = append(pb.started, s)
		s.pause()
	}
	return s, err
}

func (pb *postgresBench) pair() ([]*server, error) {
	shared, err := pb.server.NewDatabase()
	if err != nil {
		return nil, err
	}
	first, err := pb.startPaused("first", shared)
	if err != nil {
		return nil, err
	}
	second, err := pb.startPaused("second", shared)
	return []*server{first, second}, err
}

func (pb *postgresBench) withBuyers(name, database string) (*server, error) {
	buyers, err := startTestBuyers()
	if err != nil {
		return nil, err
	}
	if err := buyers.addTo(pb.binary, database, "*", 3); err != nil {
		return nil, err
	}
	return pb.startPaused(name, database, "--allow-private-buyers")
}

// newVariant measures one process or several together, over 64 connections in all. One loop serves each process; pgbench
// has one loop in each of two threads.
func (pb *postgresBench) newVariant(name string, req loadRequest, servers ...*server) *variant {
	return &variant{name: name, run: func(duration time.Duration) (result, error) {
		for _, srv := range servers {
			srv.resume()
			defer srv.pause()
		}
		return runLoadOnAll(servers, req, 64, duration)
	}, cpu: func() time.Duration {
		total := pb.serverCPU()
		for _, srv := range servers {
			total += srv.cpu()
		}
		return total
	}}
}

func runLoadOnAll(servers []*server, req loadRequest, connections int, duration time.Duration) (total result, failed error) {
	var (
		all sync.WaitGroup
		mu  sync.Mutex
	)
	for _, srv := range servers {
		all.Go(func() {
			r, err := runLoad(srv.address, req, connections/len(servers), duration)
			mu.Lock()
			defer mu.Unlock()
			total.done, total.wrong, total.elapsed = total.done+r.done, total.wrong+r.wrong, max(total.elapsed, r.elapsed)
			total.latencies = append(total.latencies, r.latencies...)
			if err != nil {
				failed = err
			}
		})
	}
	all.Wait()
	total.sort()
	return total, failed
}

func (pb *postgresBench) serverCPU() time.Duration { return postgresCPU(pb.server) }

// postgresCPU returns the CPU time that PostgreSQL has used so far, in its running processes and in those that have ended.
func postgresCPU(s *postgres.Server) time.Duration {
	total := cpuOf(s.PID(), true)
	for _, id := range childrenOf(s.PID()) {
		total += cpuOf(id, false)
	}
	return total
}

func childrenOf(parent int) (ids []int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", parent, parent))
	for word := range strings.FieldsSeq(string(text)) {
		if id, err := strconv.Atoi(word); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

func (pb *postgresBench) report(w io.Writer) {
	named := make(map[string]*variant)
	for _, v := range pb.variants {
		named[v.name] = v
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "intake, 64 connections\tper second\tp50 ms\tp99 ms\tCPU µs, with the database's\tthroughput / pgbench\t/ SQLite\t/ no-op")
	for _, v := range pb.variants {
		median := func(number func(measured) float64) float64 { return spreadOf(each(v.runs, number)).median }
		fmt.Fprintf(table, "%s\t%.0f\t%.2f\t%.2f\t%.0f\t%s\t%s\t%s\n", v.name, median(throughput),
			median(func(m measured) float64 { return m.percentile(0.5).Seconds() * 1e3 }), median(func(m measured) float64 { return m.percentile(0.99).Seconds() * 1e3 }),
			median(cpuEach)/float64(time.Microsecond), ratios(v.runs, named["pgbench, a row each"].runs, throughput),
			ratios(v.runs, named["SQLite"].runs, throughput), ratios(v.runs, named["no-op POST"].runs, throughput))
	}
	table.Flush()
	fmt.Fprintln(w, "asked for: PostgreSQL / pgbench at least 1.5. pgbench has no HTTP; neither has the store alone")
}
