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

// insertRow is what PostgreSQL's own benchmark does: it sends the row of a lead as the service writes it, under an id that begins
// with its time as the service's do.
const insertRow = `\set r random(1, 1000000000000)
INSERT INTO leads (id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence)
VALUES ('lead_' || (extract(epoch FROM clock_timestamp()) * 1000000)::bigint || '_' || :client_id || '_' || :r,
	:status, :created_at, :updated_at, :service_type, :zip_code, '', :job, :contact, :evidence);
`

// sent are the columns that it sends: all but the id, and the marks, which are empty.
var sent = []string{"status", "created_at", "updated_at", "service_type", "zip_code", "job", "contact", "evidence"}

// pgbench is PostgreSQL's own benchmark: one row and one commit for each, at 64 clients, prepared.
func (c *contest) pgbench() (*entrant, error) {
	database, err := c.server.NewDatabase()
	if err != nil {
		return nil, err
	}
	s, err := c.foyer("model", database)
	if err != nil {
		return nil, err
	}
	s.resume()
	defer s.quit()
	if _, err := s.leadID(); err != nil {
		return nil, err
	}
	values, err := c.values(database[strings.LastIndex(database, "/")+1:])
	if err != nil {
		return nil, err
	}
	script := filepath.Join(c.folder, "row.sql")
	if err := os.WriteFile(script, []byte(insertRow), 0o600); err != nil {
		return nil, err
	}
	return &entrant{name: "pgbench, a row each", cpu: c.serverCPU, run: func(while time.Duration) (result, error) {
		return runPgbench(append(values, "-f", script, database), while)
	}}, nil
}

// values gives pgbench the columns of the lead that is there, as variables: the server gets them with every insert.
func (c *contest) values(database string) (args []string, err error) {
	for _, column := range sent {
		value, err := c.server.Exec(database, "SELECT "+column+" FROM leads")
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

// runPgbench runs it for a second more: its 64 connections get to know the tables first, as those of the others have before.
func runPgbench(args []string, while time.Duration) (result, error) {
	seconds := 1 + max(1, int(while.Seconds()+0.5))
	args = append([]string{"-n", "-c", "64", "-j", "2", "-M", "prepared", "-P", "1", "-T", strconv.Itoa(seconds)}, args...)
	out, err := exec.Command("pgbench", args...).CombinedOutput()
	if err != nil {
		return result{}, fmt.Errorf("pgbench: %w: %s", err, out)
	}
	return readPgbench(out)
}

// readPgbench takes the rate without the first second. All transactions are counted, because the server worked for all of them.
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
