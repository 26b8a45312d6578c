package chart

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestAxes(t *testing.T) {
	for _, c := range []struct {
		unit      Unit
		low, high float64
		want      []float64
	}{
		{Count, 0, 0, []float64{0, 1, 2}},
		{Count, 0, 1, []float64{0, 1, 2}},
		{Count, 0, 3, []float64{0, 1, 2, 3}},
		{Count, 0, 63, []float64{0, 20, 40, 60, 80}},
		{Count, 5, 100, []float64{0, 50, 100}},
		{Count, 0, 1_203, []float64{0, 500, 1000, 1500}},
		{Count, -5, -2, []float64{-6, -4, -2, 0}},
		{Cents, -21_000, 156_000, []float64{-100_000, 0, 100_000, 200_000}},
		{Percent, 0, 0, []float64{0, 50, 100}},
		{Percent, 40, 81, []float64{0, 50, 100}},
		{Percent, 0, .3, []float64{0, .1, .2, .3}},
		{Duration, 0, .4, []float64{0, .1, .2, .3, .4}},
		{Duration, 0, 104, []float64{0, 30, 60, 90, 120}},
		{Duration, 0, 200, []float64{0, 60, 120, 180, 240}},
		{Duration, 0, 5 * 3600, []float64{0, 2 * 3600, 4 * 3600, 6 * 3600}},
		{Duration, 0, 3 * 86400, []float64{0, 86400, 2 * 86400, 3 * 86400}},
	} {
		got := newAxis(c.low, c.high, c.unit).ticks()
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
			t.Errorf("%d: from %v to %v has %v, want %v", c.unit, c.low, c.high, got, c.want)
		}
	}
}

func TestAnyAxisHoldsItsValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low, _ := known(rapid.Float64().Draw(t, "low"))
		high, _ := known(rapid.Float64().Draw(t, "high"))
		low, high = min(low, high), max(low, high)
		unit := Unit(rapid.IntRange(0, 3).Draw(t, "unit"))
		a := newAxis(low, high, unit)
		if ticks := a.ticks(); len(ticks) < 3 || len(ticks) > 5 {
			t.Fatalf("%d grid lines: %v", len(ticks), ticks)
		}
		if slack := 1e-6 * (a.high - a.low); a.low > low+slack || a.high < high-slack || a.low > 0 || a.high < 0 {
			t.Fatalf("%v to %v is not within %+v", low, high, a)
		}
	})
}

func TestLabelSteps(t *testing.T) {
	for _, c := range []struct{ positions, room, want int }{{1, 8, 1}, {7, 8, 1}, {24, 8, 3}, {24, 5, 6}, {30, 8, 4}, {366, 8, 46}, {90, 8, 12}, {3, 0, 3}, {0, 8, 1}} {
		if got := labelStep(c.positions, c.room); got != c.want {
			t.Errorf("%d positions with room for %d: every %d, want %d", c.positions, c.room, got, c.want)
		}
	}
}

func TestClasses(t *testing.T) {
	for name, c := range map[string]struct {
		unit   Unit
		values []float64
		want   []string
	}{
		"nothing":     {Count, nil, []string{"None"}},
		"all alike":   {Count, []float64{5, 5, 5}, []string{"None", "5 or more"}},
		"zeros":       {Count, []float64{0, 0, math.NaN(), -1}, []string{"None"}},
		"two":         {Count, []float64{2, 80}, []string{"None", "under 50", "50 or more"}},
		"skewed":      {Count, []float64{1, 3, 8, 15, 22, 60, 130, 450, 1_200, 4_000}, []string{"None", "under 10", "10–49", "50–299", "300–3k", "3k or more"}},
		"money":       {Cents, []float64{4_500, 9_000, 25_000, 190_000}, []string{"None", "under $50", "$50–$200", "$200–$1k", "$1k or more"}},
		"percentages": {Percent, []float64{81}, []string{"None", "under 20 %", "20 %–40 %", "40 %–60 %", "60 %–80 %", "80 %–100 %"}},
	} {
		var states []State
		for _, v := range c.values {
			states = append(states, State{Value: v})
		}
		var got []string
		for _, k := range newClasses(c.unit, states).keys() {
			got = append(got, k.name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestClassOfValues(t *testing.T) {
	counts := classes{Count, []float64{1, 10, 100}}
	for v, want := range map[float64]int{0: 0, -3: 0, 1: 1, 9: 1, 10: 3, 99: 3, 100: 5, 1e12: 5} {
		if got := counts.of(v, true); got != want {
			t.Errorf("%v has class %d, want %d", v, got, want)
		}
	}
	if got := newClasses(Percent, nil).of(0, true); got != 1 {
		t.Errorf("zero percent has class %d", got)
	}
	if got := counts.of(5, false); got != 0 {
		t.Errorf("no data has class %d", got)
	}
}

func TestGaugeTones(t *testing.T) {
	for _, c := range []struct {
		gauge       Gauge
		tone, state string
	}{
		{Gauge{Used: 0, Limit: 10}, "good", "0 %"},
		{Gauge{Used: 8, Limit: 10}, "good", "80 %"},
		{Gauge{Used: 7, Reserved: 2, Limit: 10}, "wait", "90 %"},
		{Gauge{Used: 996, Limit: 1000}, "wait", "99 %"},
		{Gauge{Used: 9, Reserved: 1, Limit: 10}, "stop", "At the limit"},
		{Gauge{Used: 12, Limit: 10}, "stop", "At the limit"},
		{Gauge{Used: 12}, "good", "No limit"},
		{Gauge{Used: math.NaN(), Limit: math.Inf(1)}, "good", "No limit"},
	} {
		if tone, state := c.gauge.tone(), c.gauge.state(); tone != c.tone || state != c.state {
			t.Errorf("%+v: %s, %s; want %s, %s", c.gauge, tone, state, c.tone, c.state)
		}
	}
}
