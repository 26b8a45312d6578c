package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// insertRow is what PostgreSQL's own benchmark runs: it sends a lead's row as the service writes it, with an id that starts
// with its time like the service's.
const insertRow = `\set r random(1, 1000000000000)
INSERT INTO leads (id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence)
VALUES ('lead_' || (extract(epoch FROM clock_timestamp()) * 1000000)::bigint || '_' || :client_id || '_' || :r,
	:status, :created_at, :updated_at, :service_type, :zip_code, '', :job, :contact, :evidence);
`

// pgbenchColumns are the columns that insertRow sends: all but the id, and the marks, which are empty.
var pgbenchColumns = []string{"status", "created_at", "updated_at", "service_type", "zip_code", "job", "contact", "evidence"}

// pgbench is PostgreSQL's own benchmark: one row and one commit per transaction, with 64 clients, prepared.
func (pb *postgresBench) pgbench() (*variant, error) {
	database, err := pb.server.NewDatabase()
	if err != nil {
		return nil, err
	}
	s, err := pb.startPaused("model", database)
	if err != nil {
		return nil, err
	}
	s.resume()
	defer s.quit()
	if _, err := s.leadID(); err != nil {
		return nil, err
	}
	values, err := pb.values(database[strings.LastIndex(database, "/")+1:])
	if err != nil {
		return nil, err
	}
	script := filepath.Join(pb.folder, "row.sql")
	if err := os.WriteFile(script, []byte(insertRow), 0o600); err != nil {
		return nil, err
	}
	return &variant{name: "pgbench, a row each", cpu: pb.serverCPU, run: func(duration time.Duration) (result, error) {
		return runPgbench(append(values, "-f", script, database), duration)
	}}, nil
}

// values passes the columns of the stored lead to pgbench as variables: the server gets them with every insert.
func (pb *postgresBench) values(database string) (args []string, err error) {
	for _, column := range pgbenchColumns {
		value, err := pb.server.Exec(database, "SELECT "+column+" FROM leads")
		if err != nil {
			return nil, err
		}
		args = append(args, "-D", column+"="+strings.TrimSpace(value))
	}
	return args, nil
}

var (
	transactions = regexp.MustCompile(`number of transactions actually processed: (\d+)`)
	progress     = regexp.MustCompile(`progress: \S+ s, (\S+) tps`)
)

// runPgbench runs pgbench for an extra second, in which its 64 connections load the catalog, as the other variants'
// connections have already.
func runPgbench(args []string, duration time.Duration) (result, error) {
	seconds := 1 + max(1, int(duration.Seconds()+0.5))
	args = append([]string{"-n", "-c", "64", "-j", "2", "-M", "prepared", "-P", "1", "-T", strconv.Itoa(seconds)}, args...)
	out, err := exec.Command("pgbench", args...).CombinedOutput()
	if err != nil {
		return result{}, fmt.Errorf("pgbench: %w: %s", err, out)
	}
	return readPgbench(out)
}

// readPgbench computes the rate without the first second. It counts all transactions, because the server worked for all of
// them.
func readPgbench(out []byte) (r result, err error) {
	found, each := transactions.FindSubmatch(out), progress.FindAllSubmatch(out, -1)
	if found == nil || len(each) < 2 {
		return r, fmt.Errorf("pgbench says: %s", out)
	}
	var rate float64
	for _, second := range each[1:] {
		tps, wrong := strconv.ParseFloat(string(second[1]), 64)
		rate, err = rate+tps/float64(len(each)-1), errors.Join(err, wrong)
	}
	done, wrong := strconv.Atoi(string(found[1]))
	return result{done: done, elapsed: time.Duration(float64(done) / rate * float64(time.Second))}, errors.Join(err, wrong)
}
