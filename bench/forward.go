package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"foyer/test/postgres"
)

// benchForward measures how many leads go through both steps, how soon, and what they cost: on SQLite, on PostgreSQL, and on
// PostgreSQL by two processes that are far from it. The load, the buyers and the database share the machine.
func benchForward(w io.Writer, folder string, s settings) error {
	if strings.Contains("SQLite", s.only) {
		here := subfolder(folder, "forward")
		if err := forwardOn(w, "SQLite", s, here, sqliteIn(here)); err != nil {
			return err
		}
		if err := forwardFew(w, s, folder); err != nil {
			return err
		}
	}
	db, err := postgres.New(postgres.Options{Settings: []string{"max_connections=100"}})
	if errors.Is(err, postgres.ErrMissing) {
		fmt.Fprintf(w, "PostgreSQL: left out: %v\n", err)
		return nil
	}
	if err != nil {
		return err
	}
	defer db.Close()
	if strings.Contains("PostgreSQL", s.only) {
		database, err := db.NewDatabase()
		if err != nil {
			return err
		}
		if err := forwardOn(w, "PostgreSQL", s, subfolder(folder, "forward-postgres"), database); err != nil {
			return err
		}
	}
	if strings.Contains("far", s.only) {
		err := forwardFromAfar(w, s, folder, db)
		if errors.Is(err, errNoQuota) {
			fmt.Fprintf(w, "two processes beside one: left out: %v\n", err)
		} else if err != nil {
			return err
		}
	}
	if strings.Contains("dump", s.only) {
		return forwardBesideDump(w, s.binary, subfolder(folder, "forward-dump"), db)
	}
	return nil
}

const (
	dumpRate   = 500 // leads a second
	dumpRounds = 18  // of forwardLoad each: as many leads as an hour with 25 a second
)

// forwardBesideDump forwards while a transaction stays open, as that of a dump does. Until it ends, the server keeps every version of
// every row in the queue, and whoever looks for what is due steps over them.
func forwardBesideDump(w io.Writer, binary, folder string, db *postgres.Server) error {
	database, err := db.NewDatabase()
	if err != nil {
		return err
	}
	s, buyers, err := startWithBuyers(binary, folder, database)
	if err != nil {
		return err
	}
	defer s.kill()
	pool, err := sql.Open("pgx", database)
	if err != nil {
		return err
	}
	defer pool.Close()
	dump, err := pool.BeginTx(context.Background(), &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return err
	}
	defer dump.Rollback()
	var leads int
	if err := dump.QueryRow(`SELECT count(*) FROM leads`).Scan(&leads); err != nil { // from here on it has a snapshot
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "beside an open transaction, leads so far\tthrough both steps a second\tfrom created to offer p50\tp99\tFoyer's CPU µs a lead\tCPU of the machine, %\tat rest after it, %")
	for round := range dumpRounds {
		began, busy := time.Now(), cpuOfMachine()
		r, err := forwardAtRate(buyers, dumpRate, s)
		if err != nil {
			return err
		}
		used := 100 * (cpuOfMachine() - busy) / time.Since(began).Seconds()
		began, busy = time.Now(), cpuOfMachine()
		time.Sleep(2 * time.Second)
		fmt.Fprintf(table, "%d\t%.0f\t%v\t%v\t%.0f\t%.0f\t%.1f\n", (round+1)*dumpRate*int(forwardLoad.Seconds()), r.through, percentile(r.waits, 0.5), percentile(r.waits, 0.99),
			float64(r.cpu.Microseconds()), used, 100*(cpuOfMachine()-busy)/time.Since(began).Seconds())
		table.Flush()
	}
	return nil
}

// startWithBuyers starts a service with three buyers that accept everything.
func startWithBuyers(binary, folder, database string) (*server, *testBuyers, error) {
	buyers, err := startTestBuyers()
	if err != nil {
		return nil, nil, err
	}
	s, err := startFoyer(binary, folder, "--allow-private-buyers", "--database", database)
	if err != nil {
		return nil, nil, err
	}
	if err := buyers.addTo(binary, database, "*", 3); err != nil {
		s.kill()
		return nil, nil, err
	}
	time.Sleep(buyersTakeEffect)
	return s, buyers, nil
}

// forwardOn measures one process with three buyers that accept everything.
func forwardOn(w io.Writer, name string, set settings, folder, database string) error {
	s, buyers, err := startWithBuyers(set.binary, folder, database)
	if err != nil {
		return err
	}
	defer s.kill()
	began, before := time.Now(), s.cpu()
	time.Sleep(10 * time.Second)
	fmt.Fprintf(w, "%s, three buyers: %.2f %% of a core at rest\n", name, 100*(s.cpu()-before).Seconds()/time.Since(began).Seconds())
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "offered a second\taccepted a second\tthrough both steps a second\t/ best so far\tall through after the load, s\tfrom created to offer p50\tp99\tFoyer's CPU µs a lead")
	best := 0.0
	for text := range strings.SplitSeq(set.rates, ",") {
		rate, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("-rates: %w", err)
		}
		r, err := forwardAtRate(buyers, rate, s)
		if err != nil {
			return err
		}
		best = max(best, r.through)
		fmt.Fprintf(table, "%.0f\t%.0f\t%.0f\t%.2f\t%s\t%v\t%v\t%.0f\n", rate, r.accepted, r.through, r.through/best, r.rest, percentile(r.waits, 0.5), percentile(r.waits, 0.99), float64(r.cpu.Microseconds()))
	}
	return table.Flush()
}

// fewLeads is how many leads a second are few: each has its commits for itself.
const fewLeads = 50

// forwardFew compares what a lead costs Foyer and the least program that passes leads on, when there are few.
func forwardFew(w io.Writer, set settings, folder string) error {
	here := subfolder(folder, "forward-few")
	s, buyers, err := startWithBuyers(set.binary, here, sqliteIn(here))
	if err != nil {
		return err
	}
	defer s.kill()
	least, err := startPeer("relay", subfolder(folder, "relay"), "http://"+buyers.address+"/")
	if err != nil {
		return err
	}
	defer least.kill()
	var foyers, leasts, quotients []float64
	for range set.rounds {
		ours, err := forwardAtRate(buyers, fewLeads, s)
		if err != nil {
			return err
		}
		its, err := forwardAtRate(buyers, fewLeads, least)
		if err != nil {
			return err
		}
		foyers, leasts = append(foyers, ours.cpu.Seconds()*1000), append(leasts, its.cpu.Seconds()*1000)
		quotients = append(quotients, ours.cpu.Seconds()/its.cpu.Seconds())
	}
	_, err = fmt.Fprintf(w, "CPU for a lead at %d a second: Foyer %s ms, the least program %s ms; Foyer / least %s\n", fewLeads, spreadOf(foyers), spreadOf(leasts), spreadOf(quotients))
	return err
}

// forwarded is what became of leads that were sent at a rate.
type forwarded struct {
	sent              int64   // leads that were accepted
	accepted, through float64 // a second, while the load lasted
	rest              string  // how long the rest took
	waits             []time.Duration
	cpu               time.Duration // for each lead
}

const (
	forwardLoad = 10 * time.Second
	forwardRest = 60 * time.Second // how long the rest may take
)

// forwardAtRate sends leads at a rate, shared by the servers, and waits until all have reached a buyer.
func forwardAtRate(buyers *testBuyers, rate float64, servers ...*server) (f forwarded, err error) {
	cpu := func() (sum time.Duration) {
		for _, s := range servers {
			sum += s.cpu()
		}
		return sum
	}
	buyers.takeWaits()
	before, beforeCPU, began := buyers.delivered.Load(), cpu(), time.Now()
	results, errs := make([]result, len(servers)), make([]error, len(servers))
	var loads sync.WaitGroup
	for i, s := range servers {
		loads.Go(func() {
			results[i], errs[i] = runPaced(s.address, variedLead("/v1/intake", 202), 64, rate/float64(len(servers)), forwardLoad)
		})
	}
	loads.Wait()
	took, done := time.Since(began).Seconds(), 0
	for _, r := range results {
		done += r.done
	}
	f.sent = int64(done)
	f.accepted, f.through = float64(done)/took, float64(buyers.delivered.Load()-before)/took
	over := time.Now()
	for buyers.delivered.Load()-before < int64(done) && time.Since(over) < forwardRest {
		time.Sleep(2 * time.Millisecond)
	}
	f.rest = fmt.Sprintf("%.2f", time.Since(over).Seconds())
	if missing := int64(done) - (buyers.delivered.Load() - before); missing > 0 {
		f.rest = fmt.Sprintf("%d of %d not after %v", missing, done, forwardRest)
	}
	f.cpu, f.waits = (cpu()-beforeCPU)/time.Duration(max(1, done)), buyers.takeWaits()
	return f, errors.Join(errs...)
}

// wireDelay is what the proxy adds to each round trip between Foyer and PostgreSQL.
const wireDelay = 5 * time.Millisecond

// farCPU is the share of a core that each process far from the database gets. With more, the load, the buyers and the database would not
// keep up on two cores, and two processes would compete for them.
const (
	farCPU  = 0.2
	farRate = 350 // leads a second for each of them: more than it can forward
)

// forwardFromAfar compares one process with two, each with a round trip of wireDelay to the database, and thirty buyers.
func forwardFromAfar(w io.Writer, s settings, folder string, db *postgres.Server) error {
	var quotients []float64
	for round := range s.rounds {
		through := make([]float64, 2)
		for i := range through {
			database, err := db.NewDatabase()
			if err != nil {
				return err
			}
			if through[i], err = forwardFar(w, s.binary, subfolder(folder, fmt.Sprintf("far-%d-%d", round, i+1)), database, i+1); err != nil {
				return err
			}
		}
		quotients = append(quotients, through[1]/through[0])
	}
	fmt.Fprintf(w, "two processes / one: %s\n", spreadOf(quotients))
	return nil
}

func forwardFar(w io.Writer, binary, folder, database string, processes int) (float64, error) {
	far, err := delayed(database)
	if err != nil {
		return 0, err
	}
	buyers, err := startTestBuyers()
	if err != nil {
		return 0, err
	}
	var servers []*server
	for i := range processes {
		s, err := startFoyer(binary, subfolder(folder, fmt.Sprint(i)), "--allow-private-buyers", "--database", far)
		if err != nil {
			return 0, err
		}
		defer s.kill()
		servers = append(servers, s)
	}
	if err := buyers.addTo(binary, database, "*", 30); err != nil {
		return 0, err
	}
	time.Sleep(buyersTakeEffect)
	for _, s := range servers {
		release, err := s.limitCPU(farCPU)
		if err != nil {
			return 0, err
		}
		defer release()
	}
	began, busy := time.Now(), cpuOfMachine()
	rate := farRate * float64(processes)
	r, err := forwardAtRate(buyers, rate, servers...)
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(w, "PostgreSQL %v away, thirty buyers, processes with %.2f of a core each: %d, %.0f leads a second offered: %.0f accepted, %.0f through both steps; all after %s s more; %.0f %% of the CPU\n",
		wireDelay, farCPU, processes, rate, r.accepted, r.through, r.rest, 100*(cpuOfMachine()-busy)/time.Since(began).Seconds())
	return r.through, nil
}

// delayed starts a proxy to a database that delays every byte by half of wireDelay, and returns the database's address there.
func delayed(database string) (string, error) {
	u, err := url.Parse(database)
	if err != nil {
		return "", err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	to := u.Host
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", to)
			if err != nil {
				from.Close()
				continue
			}
			go delay(from, server)
			go delay(server, from)
		}
	}()
	u.Host = l.Addr().String()
	return u.String(), nil
}

// delay copies what arrives, half of wireDelay later, in order.
func delay(from, to net.Conn) {
	type part struct {
		at    time.Time
		bytes []byte
	}
	parts := make(chan part, 1024)
	go func() {
		defer to.Close()
		for p := range parts {
			time.Sleep(time.Until(p.at))
			if _, err := to.Write(p.bytes); err != nil {
				from.Close()
			}
		}
	}()
	defer close(parts)
	for {
		b := make([]byte, 64<<10)
		n, err := from.Read(b)
		if n > 0 {
			parts <- part{time.Now().Add(wireDelay / 2), b[:n]}
		}
		if err != nil {
			return
		}
	}
}

// cpuOfMachine returns how many seconds of CPU all processes have used, as a share of all cores.
func cpuOfMachine() float64 {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	var busy float64
	first, _, _ := strings.Cut(string(text), "\n")
	for i, field := range strings.Fields(first)[1:] {
		if ticks, err := strconv.ParseFloat(field, 64); err == nil && i != 3 && i != 4 && i < 8 { // idle, iowait; guests are counted twice
			busy += ticks
		}
	}
	return busy / 100 / float64(runtime.NumCPU())
}
