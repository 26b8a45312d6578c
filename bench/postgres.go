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

// contest is what is measured on PostgreSQL, with everything else in the same rounds.
type contest struct {
	binary, folder string
	server         *postgres.Server
	entrants       []*entrant
	started        []*server
	stores         []*store.Store
}

// entrant keeps leads for a while, in its own way.
type entrant struct {
	name string
	run  func(while time.Duration) (result, error)
	cpu  func() time.Duration
	runs []measured
}

// onPostgres measures the intake on PostgreSQL beside SQLite, beside PostgreSQL's own benchmark, by two processes, and with
// buyers.
func onPostgres(w io.Writer, folder string, s settings) error {
	db, err := postgres.New(postgres.Options{Settings: []string{"max_connections=200"}}) // five processes have 13 each, pgbench 64
	if err != nil {
		return err
	}
	defer db.Close()
	if s.only == "soon" {
		return howSoonOnPostgres(w, s.binary, folder, db)
	}
	c := &contest{binary: s.binary, folder: folder, server: db}
	defer c.stop()
	if err := c.line(); err != nil {
		return err
	}
	for round := range s.rounds + 1 {
		fmt.Fprintf(os.Stderr, "\rround %d of %d", round, s.rounds)
		for _, e := range c.entrants {
			if err := e.measure(s.while, round > 0); err != nil {
				return err
			}
		}
	}
	fmt.Fprintln(os.Stderr)
	c.report(w)
	return howSoonOnPostgres(w, s.binary, folder, db)
}

func (c *contest) stop() {
	for _, s := range c.stores {
		s.Close()
	}
	for _, s := range c.started {
		s.resume()
		s.kill()
	}
}

func (e *entrant) measure(while time.Duration, counts bool) error {
	before := e.cpu()
	r, err := e.run(while)
	if err != nil || r.done == 0 || r.wrong > 0 {
		return fmt.Errorf("%s: %d good answers, %d wrong, %v", e.name, r.done, r.wrong, err)
	}
	if counts { // the first round warms everything up
		e.runs = append(e.runs, measured{r, (e.cpu() - before) / time.Duration(r.done)})
	}
	return nil
}

// line starts everybody. Those that are not being measured stand still.
func (c *contest) line() error {
	noop, err := startPeer("noop")
	if err != nil {
		return err
	}
	c.started = append(c.started, noop)
	noop.pause()
	onFile, err := c.foyer("sqlite", "sqlite:"+filepath.Join(sub(c.folder, "sqlite"), "foyer.db"))
	if err != nil {
		return err
	}
	alone, err := c.server.NewDatabase()
	if err != nil {
		return err
	}
	single, err := c.foyer("alone", alone)
	if err != nil {
		return err
	}
	pair, err := c.pair()
	if err != nil {
		return err
	}
	served, err := c.server.NewDatabase()
	if err != nil {
		return err
	}
	busy, err := c.withBuyers("buyers", served)
	if err != nil {
		return err
	}
	busyFile, err := c.withBuyers("buyers-sqlite", "sqlite:"+filepath.Join(sub(c.folder, "buyers-sqlite"), "foyer.db"))
	if err != nil {
		return err
	}
	bench, err := c.pgbench()
	if err != nil {
		return err
	}
	bare, err := c.server.NewDatabase()
	if err != nil {
		return err
	}
	without, err := c.alone("PostgreSQL, the store alone", bare)
	if err != nil {
		return err
	}
	c.entrants = []*entrant{
		c.entrant("no-op POST", post("/bytes/700", lead, 200), noop),
		c.entrant("SQLite", varied("/v1/intake", 202), onFile),
		c.entrant("SQLite, three buyers", varied("/v1/intake", 202), busyFile),
		c.entrant("PostgreSQL", varied("/v1/intake", 202), single),
		c.entrant("PostgreSQL, two processes", varied("/v1/intake", 202), pair...),
		c.entrant("PostgreSQL, three buyers", varied("/v1/intake", 202), busy),
		without,
		bench,
	}
	return nil
}

// foyer starts the service on a database, and lets it stand still.
func (c *contest) foyer(name, database string, flags ...string) (*server, error) {
	s, err := startFoyer(c.binary, sub(c.folder, name), append(flags, "--database", database)...)
	if err == nil {
		c.started = append(c.started, s)
		s.pause()
	}
	return s, err
}

func (c *contest) pair() ([]*server, error) {
	shared, err := c.server.NewDatabase()
	if err != nil {
		return nil, err
	}
	first, err := c.foyer("first", shared)
	if err != nil {
		return nil, err
	}
	second, err := c.foyer("second", shared)
	return []*server{first, second}, err
}

func (c *contest) withBuyers(name, database string) (*server, error) {
	n, err := openNetworks()
	if err != nil {
		return nil, err
	}
	if err := n.recruit(c.binary, database, "*", 3); err != nil {
		return nil, err
	}
	return c.foyer(name, database, "--allow-private-buyers")
}

// entrant is one process or several together, over 64 connections in all. Each is served by one loop; pgbench has one in each of two threads.
func (c *contest) entrant(name string, s shot, servers ...*server) *entrant {
	return &entrant{name: name, run: func(while time.Duration) (result, error) {
		for _, x := range servers {
			x.resume()
			defer x.pause()
		}
		return fireAtAll(servers, s, 64, while)
	}, cpu: func() time.Duration {
		total := c.serverCPU()
		for _, x := range servers {
			total += x.cpu()
		}
		return total
	}}
}

func fireAtAll(servers []*server, s shot, connections int, while time.Duration) (total result, failed error) {
	var (
		all sync.WaitGroup
		mu  sync.Mutex
	)
	for _, x := range servers {
		all.Go(func() {
			r, err := fire(x.address, s, connections/len(servers), while)
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

func (c *contest) serverCPU() time.Duration { return computing(c.server) }

// computing is the time that PostgreSQL has spent on it so far: in its processes, and in those that have ended.
func computing(s *postgres.Server) time.Duration {
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

func (c *contest) report(w io.Writer) {
	named := make(map[string]*entrant)
	for _, e := range c.entrants {
		named[e.name] = e
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "intake, 64 connections\tper second\tp50 ms\tp99 ms\tCPU µs, with the database's\tthroughput / pgbench\t/ SQLite\t/ no-op")
	for _, e := range c.entrants {
		median := func(number func(measured) float64) float64 { return spreadOf(each(e.runs, number)).median }
		fmt.Fprintf(table, "%s\t%.0f\t%.2f\t%.2f\t%.0f\t%s\t%s\t%s\n", e.name, median(throughput),
			median(func(m measured) float64 { return m.at(0.5).Seconds() * 1e3 }), median(func(m measured) float64 { return m.at(0.99).Seconds() * 1e3 }),
			median(cpuEach)/float64(time.Microsecond), ratios(e.runs, named["pgbench, a row each"].runs, throughput),
			ratios(e.runs, named["SQLite"].runs, throughput), ratios(e.runs, named["no-op POST"].runs, throughput))
	}
	table.Flush()
	fmt.Fprintln(w, "asked for: PostgreSQL / pgbench at least 1.5. pgbench has no HTTP; neither has the store alone")
}

// howSoonOnPostgres measures how soon buyers hear, and how much one database can pass on.
func howSoonOnPostgres(w io.Writer, binary, folder string, db *postgres.Server) error {
	database, err := db.NewDatabase()
	if err != nil {
		return err
	}
	return howSoon(w, binary, sub(folder, "soon-postgres"), database)
}
