package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestQuartiles(t *testing.T) {
	for _, x := range []struct {
		numbers []float64
		want    string
	}{
		{[]float64{5, 1, 4, 2, 3}, "3.000 [2.000..4.000]"},
		{[]float64{4, 1, 3, 2}, "2.500 [1.750..3.250]"},
		{[]float64{1.2, 1}, "1.100 [1.050..1.150]"},
		{[]float64{0.97}, "0.970 [0.970..0.970]"},
		{[]float64{1, 1, 1, 1, 1, 1, 1, 1, 1000}, "1.000 [1.000..1.000]"}, // one bad pair changes nothing
	} {
		before := slices.Clone(x.numbers)
		if got := quartilesOf(x.numbers).String(); got != x.want {
			t.Errorf("%v: %s instead of %s", x.numbers, got, x.want)
		}
		if !slices.Equal(before, x.numbers) {
			t.Errorf("%v was reordered: its numbers belong to pairs", before)
		}
	}
}

func TestVerdict(t *testing.T) {
	at := func(median float64) quartiles { return quartiles{median - 0.01, median, median + 0.01} }
	for _, x := range []struct {
		ratio, control quartiles
		pairs          int
		want           string
	}{
		{at(1), at(1), 31, "within noise"},
		{at(1.01), at(1), 31, "within noise"},
		{at(1.034), at(1), 31, "3.4% more"},
		{at(0.95), at(1), 31, "5.0% less"},
		{at(0.95), at(1), 14, "5.0% less, from too few pairs to tell"},
		{at(1), at(0.96), 31, "within noise"},     // equal to the old binary, whatever the control shows
		{at(1.045), at(0.96), 31, "within noise"}, // the control shows as much the other way around
		{at(0.955), at(1.04), 31, "within noise"},
		{at(1.08), at(0.96), 31, "8.0% more"},
		{at(1.1), quartiles{0.8, 1, 1.2}, 31, "within noise"}, // a busy machine
	} {
		if got := verdict(x.ratio, x.control, x.pairs); got != x.want {
			t.Errorf("%v beside a control of %v, %d pairs: %q instead of %q", x.ratio, x.control, x.pairs, got, x.want)
		}
	}
}

// TestDividePairs checks that a machine that is ten times as slow in one pair changes neither ratio.
func TestDividePairs(t *testing.T) {
	var row strings.Builder
	reportFigure(&row, "intake", []float64{50, 500, 52}, []float64{55, 550, 57.2}, []float64{50, 500, 52})
	if got, want := strings.Join(strings.Fields(row.String()), " "), "intake 52.0 57.2 1.100 [1.100..1.100] 1.000 [1.000..1.000] 10.0% more, from too few pairs to tell"; got != want {
		t.Errorf("%q instead of %q", got, want)
	}
}

// TestOrdersAreFair checks that each of the three runs in each position, and directly after each of the others, equally
// often.
func TestOrdersAreFair(t *testing.T) {
	places, follows := make(map[string]int), make(map[string]int)
	for _, order := range orders {
		for offset, one := range order {
			places[fmt.Sprint(one, " at ", offset)]++
			if offset > 0 {
				follows[fmt.Sprint(one, " after ", order[offset-1])]++
			}
		}
	}
	if len(places) != 9 || len(follows) != 6 {
		t.Errorf("%v, %v", places, follows)
	}
	for _, counted := range []map[string]int{places, follows} {
		for what, n := range counted {
			if n != 2 {
				t.Errorf("%s: %d times", what, n)
			}
		}
	}
}
