// Command bench measures Foyer against servers that do nothing, or do the same with other means, in interleaved rounds
// on one machine. Machines are noisy, so what counts are ratios within a round: their median and spread.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
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
	rounds := flag.Int("rounds", 7, "how many rounds")
	seconds := flag.Float64("seconds", 2, "how long each configuration runs in a round")
	only := flag.String("only", "", "run only configurations whose name contains this")
	chart := flag.String("chart", "", "draw the ratios into this file, as SVG")
	storm := flag.Int("overload", 0, "measure overload only, from so many connections")
	buyers := flag.Bool("buyers", false, "measure only what buyers cost, and how soon they hear")
	binary := flag.String("binary", "", "the foyer binary; built where none is named")
	flag.Parse()
	exit(run(*binary, *rounds, time.Duration(*seconds*float64(time.Second)), *only, *chart, *storm, *buyers))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func run(binary string, rounds int, while time.Duration, only, chart string, storm int, buyers bool) error {
	folder, err := os.MkdirTemp("", "foyer-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if binary == "" {
		binary = filepath.Join(folder, "foyer")
		build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", binary, "./cmd/foyer")
		build.Stdout, build.Stderr = os.Stderr, os.Stderr
		if err := build.Run(); err != nil {
			return err
		}
	}
	if buyers {
		return forwarding(os.Stdout, binary, folder, rounds, while, only)
	}
	field, err := line(binary, folder)
	if err != nil {
		return err
	}
	defer field.stop()
	if storm > 0 {
		return overload(os.Stdout, field, storm)
	}
	runs, err := field.rounds(rounds, while, only)
	if err != nil {
		return err
	}
	field.report(os.Stdout, binary, runs)
	if chart == "" {
		return nil
	}
	return field.chart(chart, runs)
}
