// Command bench measures Foyer against servers that do nothing, or do the same with other means, in interleaved rounds
// on one machine. Machines are noisy, so what counts are ratios within a round: their median and spread.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// lead is the request that is sent: the required fields and a few others.
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
	var s settings
	flag.IntVar(&s.rounds, "rounds", 7, "how many rounds")
	seconds := flag.Float64("seconds", 2, "how long each configuration runs in a round")
	flag.StringVar(&s.only, "only", "", "run only configurations whose name contains this")
	flag.StringVar(&s.chart, "chart", "", "draw the ratios into this file, as SVG")
	flag.IntVar(&s.storm, "overload", 0, "measure overload only, from so many connections")
	flag.BoolVar(&s.buyers, "buyers", false, "measure only what buyers cost, and how soon they hear")
	flag.BoolVar(&s.growth, "growth", false, "measure only what an intake, a look-up and a list cost on large stores")
	flag.BoolVar(&s.postgres, "postgres", false, "measure only the intake on PostgreSQL; with -growth, large stores on it")
	flag.BoolVar(&s.peers, "peers", false, "measure only the intake beside other ways to do the same; see bench/README.md")
	flag.BoolVar(&s.pair, "pair", false, "measure only what an answer costs two binaries, -old and -binary, in as many pairs as -rounds says; with -postgres, there too")
	flag.StringVar(&s.old, "old", "", "the foyer binary that -pair compares with")
	flag.BoolVar(&s.chores, "chores", false, "measure only the intake while two million old keys are forgotten")
	flag.StringVar(&s.leads, "leads", "1000000,5000000", "how many leads the large stores have")
	flag.StringVar(&s.stores, "stores", "", "a folder where large stores are found again on the same day; without it they are made anew and removed")
	flag.StringVar(&s.profile, "profile", "", "measure nothing, but write down for the compiler where the service computes, in this file")
	flag.StringVar(&s.binary, "binary", "", "the foyer binary; built where none is named")
	flag.Parse()
	s.while = time.Duration(*seconds * float64(time.Second))
	exit(run(s))
}

// settings are what was asked for.
type settings struct {
	binary, old, only, chart, leads, stores, profile string
	rounds, storm                                    int
	while                                            time.Duration
	buyers, growth, postgres, peers, pair, chores    bool
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
	if s.postgres || s.profile != "" { // a server to throw away, with keys to throw away; those of a file lie beside it
		if err := os.Setenv("FOYER_KEYS", "file:"+filepath.Join(folder, "foyer.keys")); err != nil {
			return err
		}
	}
	if s.profile != "" {
		return learn(folder, s.profile, s.while)
	}
	if s.pair {
		if s.old, err = findBinary("OLD", s.old); err != nil {
			return err
		}
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
		return forwarding(os.Stdout, s.binary, folder, s.rounds, s.while, s.only)
	case s.chores:
		return chores(os.Stdout, s.binary, folder, s.rounds, s.while, s.only)
	case s.growth:
		return growth(os.Stdout, folder, s)
	case s.postgres:
		return onPostgres(os.Stdout, folder, s)
	case s.peers:
		return compare(os.Stdout, folder, s)
	}
	field, err := line(s.binary, folder)
	if err != nil {
		return err
	}
	defer field.stop()
	if s.storm > 0 {
		return overload(os.Stdout, field, s.storm, s.rounds)
	}
	runs, err := field.rounds(s.rounds, s.while, s.only)
	if err != nil {
		return err
	}
	field.report(os.Stdout, s.binary, runs)
	if s.chart == "" {
		return nil
	}
	return field.chart(s.chart, runs)
}
