package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"foyer/bench/seed"
	"foyer/test/postgres"
)

const (
	nearlyEmpty = 1000   // leads of the store that the others are held against: something to look up has to be there
	lookedUp    = 20_000 // ids that are asked for, spread over the whole store
	warmUp      = 500 * time.Millisecond
)

// grown is a store of some size, and what was measured on it.
type grown struct {
	ground
	leads            int
	ids              []string
	intake, standing []measured // round by round
}

func (g *grown) name() string {
	switch {
	case g.leads == nearlyEmpty:
		return "empty"
	case g.leads%1_000_000 == 0:
		return fmt.Sprintf("%d M", g.leads/1_000_000)
	}
	return strconv.Itoa(g.leads)
}

// growth measures what an intake, a look-up and a list cost on large stores, as ratios to one that is nearly empty.
func growth(w io.Writer, folder string, s settings) error {
	newGround := func(name string) (ground, error) { return onDisk(folder, name) }
	if s.stores != "" {
		folder = s.stores
	}
	if s.postgres {
		db, err := postgres.New(postgres.Options{})
		if err != nil {
			return err
		}
		defer db.Close()
		newGround = func(name string) (ground, error) { return onServer(db, folder, name) }
	}
	stores, err := plant(newGround, s.leads)
	if err != nil {
		return err
	}
	for round := range s.rounds + 1 {
		fmt.Fprintf(os.Stderr, "\rround %d of %d", round, s.rounds)
		for _, g := range stores {
			intake, standing, err := g.measure(s.binary, s.while)
			if err != nil {
				return fmt.Errorf("%s: %w", g.name(), err)
			}
			if round > 0 { // the first warms everything up
				g.intake, g.standing = append(g.intake, intake), append(g.standing, standing)
			}
		}
	}
	fmt.Fprintln(os.Stderr)
	reportGrowth(w, stores)
	return reportLists(w, s.binary, stores)
}

// plant makes the stores, or finds those of an earlier run.
func plant(newGround func(name string) (ground, error), leads string) ([]*grown, error) {
	stores := []*grown{{leads: nearlyEmpty}}
	for word := range strings.SplitSeq(leads, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n <= nearlyEmpty {
			return nil, fmt.Errorf("-leads %q: give whole numbers above %d", leads, nearlyEmpty)
		}
		stores = append(stores, &grown{leads: n})
	}
	for _, g := range stores {
		var err error
		if g.ground, err = newGround(strconv.Itoa(g.leads)); err == nil {
			err = g.plant()
		}
		if err != nil {
			return nil, err
		}
	}
	return stores, nil
}

func (g *grown) plant() (err error) {
	if !g.planted() {
		began := time.Now()
		if err := seed.Fill(context.Background(), g.database, g.leads, began); err != nil {
			return err
		}
		if g.leads > nearlyEmpty {
			fmt.Fprintf(os.Stderr, "%d leads in %v\n", g.leads, time.Since(began).Round(time.Second))
		}
	}
	g.ids, err = g.idsOf(g.leads)
	return err
}

// measure starts the service anew and fires at it: every store has a process of the same age. The store that is nearly
// empty is made anew each time, because an intake would soon have filled it.
func (g *grown) measure(binary string, while time.Duration) (intake, standing measured, err error) {
	if g.leads == nearlyEmpty {
		if err := g.clear(); err != nil {
			return intake, standing, err
		}
		if err := g.plant(); err != nil {
			return intake, standing, err
		}
	}
	s, err := startFoyer(binary, g.folder, "--database", g.database)
	if err != nil {
		return intake, standing, err
	}
	defer s.quit()
	if standing, err = g.steadily(s, lookUps(g.ids), while); err == nil {
		intake, err = g.steadily(s, varied("/v1/intake", 202), while)
	}
	return intake, standing, err
}

// steadily fires for a while, after a warm-up that does not count.
func (g *grown) steadily(s *server, shot shot, while time.Duration) (measured, error) {
	const connections = 64
	if _, err := fire(s.address, shot, connections, warmUp); err != nil {
		return measured{}, err
	}
	before := s.cpu() + g.cpu()
	r, err := fire(s.address, shot, connections, while)
	if err != nil || r.done == 0 || r.wrong > 0 {
		return measured{}, fmt.Errorf("%d good answers, %d wrong, %v", r.done, r.wrong, err)
	}
	return measured{r, (s.cpu() + g.cpu() - before) / time.Duration(r.done)}, nil
}

// quit lets a process end in its own way: what is in the log of its database reaches the file.
func (s *server) quit() {
	s.cmd.Process.Signal(syscall.SIGTERM)
	s.cmd.Wait()
}

func reportGrowth(w io.Writer, stores []*grown) {
	micros := func(runs []measured) float64 { return spreadOf(each(runs, cpuEach)).median / float64(time.Microsecond) }
	p99 := func(m measured) float64 { return m.at(0.99).Seconds() }
	base := stores[0]
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "store\tintake µs CPU\tCPU / empty\tthroughput / empty\tp99 / empty\tlook-up µs CPU\tCPU / empty\tthroughput / empty\tp99 / empty")
	for _, g := range stores {
		fmt.Fprintf(table, "%s\t%.1f\t%s\t%s\t%s\t%.1f\t%s\t%s\t%s\n", g.name(),
			micros(g.intake), ratios(g.intake, base.intake, cpuEach), ratios(g.intake, base.intake, throughput), ratios(g.intake, base.intake, p99),
			micros(g.standing), ratios(g.standing, base.standing, cpuEach), ratios(g.standing, base.standing, throughput), ratios(g.standing, base.standing, p99))
	}
	table.Flush()
	fmt.Fprintln(w, "asked for: CPU of an intake on 5 M / empty at most 1.2, of a look-up at most 1.6")
}
