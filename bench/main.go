// Command bench measures Foyer against servers that do nothing, or do the same by other means, in interleaved rounds on one
// machine. Machines are noisy, so only ratios within a round count: their median and spread.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// lead is the request body: the required fields and a few others.
const lead = `{"service_type":"house_cleaning","zip_code":"33139","city":"Miami Beach","state":"FL","bedrooms":2,"bathrooms":1.5,` +
	`"square_feet":1200,"home_type":"apartment","frequency":"biweekly","notes":"Two cats; please use unscented products.",` +
	`"customer_name":"Pat Example","customer_phone":"305-555-0123","customer_email":"pat@example.com","consent_to_contact":true}`

func main() {
	if len(os.Args) > 2 && os.Args[1] == "serve-noop" {
		exit(serveNoop(os.Args[2]))
	}
	if len(os.Args) > 3 && os.Args[1] == "serve-sdk" {
		exit(serveSDK(os.Args[2], os.Args[3]))
	}
	if len(os.Args) > 4 && os.Args[1] == "serve-relay" {
		exit(serveRelay(os.Args[2], os.Args[3], os.Args[4]))
	}
	var s settings
	flag.IntVar(&s.rounds, "rounds", 7, "how many rounds")
	seconds := flag.Float64("seconds", 2, "how long each configuration runs in a round")
	flag.StringVar(&s.only, "only", "", "run only configurations whose name contains this")
	flag.StringVar(&s.chart, "chart", "", "draw what was measured into this file, as SVG")
	flag.IntVar(&s.overload, "overload", 0, "measure overload only, from so many connections")
	flag.BoolVar(&s.buyers, "buyers", false, "measure only what buyers cost the intake, and a million held leads")
	flag.BoolVar(&s.forward, "forward", false, "measure only how many leads go through both steps, how soon, and what they cost, on both engines")
	flag.StringVar(&s.rates, "rates", "50,500,1000,2000,4000,8000,16000", "how many leads a second -forward offers")
	flag.BoolVar(&s.growth, "growth", false, "measure only what an intake, a look-up, a list and forwarding cost on large stores")
	flag.BoolVar(&s.console, "console", false, "with -growth, measure only the pages of the console")
	flag.BoolVar(&s.reports, "reports", false, "measure only reports, on the counts of a year of 5 million leads, on both engines")
	flag.BoolVar(&s.postgres, "postgres", false, "measure only the intake on PostgreSQL; with -growth, large stores on it")
	flag.BoolVar(&s.peers, "peers", false, "measure only the intake beside other ways to do the same; see bench/README.md")
	flag.BoolVar(&s.pair, "pair", false, "measure only what an answer costs two binaries, -old and -binary, in as many pairs as -rounds says; with -postgres, there too")
	flag.StringVar(&s.old, "old", "", "the foyer binary that -pair compares with")
	flag.BoolVar(&s.cleanup, "cleanup", false, "measure only the intake while two million old keys are deleted")
	flag.BoolVar(&s.vacuum, "vacuum", false, "measure only the queue on PostgreSQL, at full load, for as many minutes as -minutes says")
	flag.IntVar(&s.minutes, "minutes", 30, "how long -vacuum takes")
	flag.StringVar(&s.leads, "leads", "1000000,5000000", "how many leads the large stores have")
	flag.StringVar(&s.stores, "stores", "", "a folder where large stores are found again on the same day; without it they are made anew and removed")
	flag.StringVar(&s.binary, "binary", "", "the foyer binary; built where none is named")
	flag.Parse()
	s.duration = time.Duration(*seconds * float64(time.Second))
	exit(run(s))
}

// settings are the flags.
type settings struct {
	binary, old, only, chart, leads, stores, rates                   string
	rounds, overload, minutes                                        int
	duration                                                         time.Duration
	buyers, forward, growth, console, postgres, peers, pair, cleanup bool
	vacuum, reports                                                  bool
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func run(s settings) error {
	folder, err := os.MkdirTemp("", "foyer-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if s.postgres || s.cleanup || s.forward || s.vacuum || s.reports { // temporary keys for the temporary server; a database file has its keys beside it
		if err := os.Setenv("FOYER_KEYS", "file:"+filepath.Join(folder, "foyer.keys")); err != nil {
			return err
		}
	}
	if s.pair {
		if s.old, err = findBinary("OLD", s.old); err != nil {
			return err
		}
	}
	if s.reports { // no service runs
		return benchReports(os.Stdout, folder)
	}
	if s.binary == "" {
		s.binary = filepath.Join(folder, "foyer")
		if err := buildShipped(s.binary); err != nil {
			return err
		}
	}
	switch {
	case s.pair:
		return comparePair(os.Stdout, folder, s)
	case s.buyers:
		return benchBuyers(os.Stdout, s.binary, folder, s.rounds, s.duration, s.only)
	case s.forward:
		return benchForward(os.Stdout, folder, s)
	case s.cleanup:
		return benchCleanup(os.Stdout, s.binary, folder, s.rounds, s.duration, s.only)
	case s.vacuum:
		return benchVacuum(os.Stdout, folder, s)
	case s.growth:
		return benchGrowth(os.Stdout, folder, s)
	case s.postgres:
		return benchPostgres(os.Stdout, folder, s)
	case s.peers:
		return comparePeers(os.Stdout, folder, s)
	}
	all, err := newSuite(s.binary, folder)
	if err != nil {
		return err
	}
	defer all.stop()
	if s.overload > 0 {
		return benchOverload(os.Stdout, all, s.overload, s.rounds)
	}
	runs, err := all.rounds(s.rounds, s.duration, s.only)
	if err != nil {
		return err
	}
	all.report(os.Stdout, s.binary, runs)
	if s.chart == "" {
		return nil
	}
	return all.chart(s.chart, runs)
}
