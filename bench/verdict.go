package main

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// quartiles are the median of some numbers, and the bounds of the middle half.
type quartiles struct{ lower, median, upper float64 }

func quartilesOf(numbers []float64) quartiles {
	sorted := slices.Sorted(slices.Values(numbers))
	return quartiles{quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)}
}

// quantile interpolates between the two nearest numbers.
func quantile(sorted []float64, share float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	whole, part := math.Modf(share * float64(len(sorted)-1))
	at := int(whole)
	return sorted[at] + part*(sorted[min(at+1, len(sorted)-1)]-sorted[at])
}

func (q quartiles) String() string {
	return fmt.Sprintf("%.3f [%.3f..%.3f]", q.median, q.lower, q.upper)
}

// dividePairs divides what was measured in the same pair.
func dividePairs(numbers, by []float64) []float64 {
	out := make([]float64, len(numbers))
	for i := range out {
		out[i] = numbers[i] / by[i]
	}
	return out
}

// minPairs is the number of pairs below which one in forty comparisons of equal binaries, or more, would show a difference.
const minPairs = 15

// verdict says what a ratio means, given that of the control. The control could as well have been divided the other way
// around, so its spread counts in both directions: a ratio of 1 is always noise.
func verdict(ratio, control quartiles, pairs int) string {
	if ratio.median >= min(control.lower, 1/control.upper) && ratio.median <= max(control.upper, 1/control.lower) {
		return "within noise"
	}
	word := fmt.Sprintf("%.1f%% more", 100*(ratio.median-1))
	if ratio.median < 1 {
		word = fmt.Sprintf("%.1f%% less", 100*(1-ratio.median))
	}
	if pairs < minPairs {
		word += ", from too few pairs to tell"
	}
	return word
}

// nameWidth is the width of the first column. Rows are printed as soon as they are known, so nothing else aligns them.
const nameWidth = 44

// reportHead prints what is compared, and the column headings.
func reportHead(w io.Writer, c *comparison) error {
	for _, x := range []struct{ name, binary string }{{"old", c.old}, {"new", c.new}} {
		about, err := describe(x.binary)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s: %s\n", x.name, about)
	}
	fmt.Fprintf(w, "CPU for each answer, %d pairs; ratios: median [middle half of the pairs]\n\n", c.pairs)
	fmt.Fprintf(w, "%-*s  %8s  %8s  %-21s  %s\n", nameWidth, "", "old µs", "new µs", "new / old", "control, old / old")
	return nil
}

// reportFigure prints one row.
func reportFigure(w io.Writer, name string, old, new, control []float64) {
	ratio, noise := quartilesOf(dividePairs(new, old)), quartilesOf(dividePairs(control, old))
	fmt.Fprintf(w, "%-*s  %8.1f  %8.1f  %-21s  %-21s  %s\n", nameWidth, name, quartilesOf(old).median, quartilesOf(new).median, ratio, noise, verdict(ratio, noise, len(old)))
}
