package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"
	"time"
)

// spread is the median of some numbers, with the lowest and the highest.
type spread struct{ low, median, high float64 }

func spreadOf(numbers []float64) spread {
	if len(numbers) == 0 {
		return spread{}
	}
	slices.Sort(numbers)
	return spread{numbers[0], numbers[len(numbers)/2], numbers[len(numbers)-1]}
}

func (s spread) String() string { return fmt.Sprintf("%.2f [%.2f..%.2f]", s.median, s.low, s.high) }

// each extracts one number from every run.
func each(runs []measured, number func(measured) float64) []float64 {
	out := make([]float64, len(runs))
	for i, r := range runs {
		out[i] = number(r)
	}
	return out
}

// ratios divides two configurations round by round.
func ratios(runs, against []measured, number func(measured) float64) spread {
	out := make([]float64, 0, len(runs))
	for i := range min(len(runs), len(against)) {
		out = append(out, number(runs[i])/number(against[i]))
	}
	return spreadOf(out)
}

func throughput(m measured) float64 { return m.perSecond() }
func cpuEach(m measured) float64    { return float64(m.cpu) }

// report prints the table: rates of this machine for orientation, and ratios, which are what counts.
func (s *suite) report(w io.Writer, binary string, runs map[string][]measured) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "configuration\tper second\tp50 ms\tp99 ms\tp99/p50\tCPU µs\tthroughput / no-op\tCPU / no-op")
	for _, c := range s.configurations {
		mine := runs[c.name]
		if mine == nil {
			continue
		}
		p50 := spreadOf(each(mine, func(m measured) float64 { return m.percentile(0.50).Seconds() * 1e3 }))
		p99 := spreadOf(each(mine, func(m measured) float64 { return m.percentile(0.99).Seconds() * 1e3 }))
		tail := spreadOf(each(mine, func(m measured) float64 { return float64(m.percentile(0.99)) / float64(m.percentile(0.50)) }))
		fmt.Fprintf(table, "%s\t%.0f\t%.2f\t%.2f\t%.1f\t%.1f", c.name, spreadOf(each(mine, throughput)).median,
			p50.median, p99.median, tail.median, spreadOf(each(mine, cpuEach)).median/float64(time.Microsecond))
		if base := runs[c.against]; base != nil {
			fmt.Fprintf(table, "\t%s\t%s", ratios(mine, base, throughput), ratios(mine, base, cpuEach))
		}
		fmt.Fprintln(table)
	}
	table.Flush()
	if sdk, own := runs["tools/call, official SDK"], runs["tools/call, reading"]; sdk != nil && own != nil {
		fmt.Fprintf(w, "\ntools/call / official SDK: throughput %s, CPU 1/%s\n", ratios(own, sdk, throughput), ratios(sdk, own, cpuEach))
	}
	now, most := s.foyer.memory()
	size := int64(0)
	if info, err := os.Stat(binary); err == nil {
		size = info.Size()
	}
	fmt.Fprintf(w, "binary %.1f MB; memory after the load %.0f MB, at most %.0f MB; start to first answer %v\n",
		float64(size)/1e6, float64(now)/1e6, float64(most)/1e6, s.foyer.started.Round(time.Millisecond))
}
