package chart

import (
	"math"
	"slices"
)

// mapClasses is how many colors a map has, besides that of nothing.
const mapClasses = 5

// classes divide values by their color. Class 0 is nothing; class n has the values from limits[n-1] up to the next limit.
type classes struct {
	unit   Unit
	limits []float64
}

// quantiles are where the limits of classes lie among the sorted values. A few states have most of the leads: equal steps would leave
// all others in the lowest class, and equal numbers of states would not tell the largest ones apart.
var quantiles = []float64{.3, .55, .75, .9}

// newClasses chooses limits: fifths of a hundred for percentages, and else round numbers near the quantiles.
func newClasses(u Unit, states []State) classes {
	var values []float64
	for _, s := range states {
		if v, ok := known(s.Value); ok && v > 0 {
			values = append(values, v)
		}
	}
	if u == Percent {
		return classes{u, []float64{0, 20, 40, 60, 80}}
	}
	if len(values) == 0 {
		return classes{unit: u}
	}
	slices.Sort(values)
	limits := []float64{roundDown(values[0])}
	for _, q := range quantiles {
		limit := roundDown(values[int(q*float64(len(values)))])
		if limit > limits[len(limits)-1] && limit > values[0] {
			limits = append(limits, limit)
		}
	}
	return classes{u, limits}
}

// roundDown returns the next lower round number: 1, 2, 3 or 5 times a power of ten.
func roundDown(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{10, 5, 3, 2} {
		if m*power <= v*(1+1e-9) {
			return m * power
		}
	}
	return power
}

// of is the class of a value. Without data, it is 0. Zero percent is a value, zero leads are nothing.
func (c classes) of(value float64, given bool) int {
	v, ok := known(value)
	if !given || !ok || v <= 0 && c.unit != Percent {
		return 0
	}
	for i := len(c.limits) - 1; i > 0; i-- {
		if v >= c.limits[i] {
			return c.color(i)
		}
	}
	return c.color(0)
}

// color spreads fewer than five classes over the colors, so that the highest is always the strongest.
func (c classes) color(i int) int {
	return mapClasses - (len(c.limits)-1-i)*(mapClasses-1)/max(len(c.limits)-1, 1)
}

// keys are the legend, from nothing to the highest class.
func (c classes) keys() []key {
	keys := []key{{class: "chart-c0", name: textNone}}
	for i := range c.limits {
		keys = append(keys, key{class: "chart-c" + integer(c.color(i)), name: c.span(i)})
	}
	return keys
}

// span names the values of a class. Leads are whole: below 100 is up to 99.
func (c classes) span(i int) string {
	low := c.unit.short(c.limits[i])
	switch {
	case i+1 < len(c.limits):
		next := c.limits[i+1]
		if i == 0 {
			return textUnder + c.unit.short(next)
		}
		if c.unit == Count && next <= 1000 {
			next--
		}
		return low + textGap + c.unit.short(next)
	case c.unit == Percent:
		return low + textGap + c.unit.short(100)
	}
	return low + textOrMore
}
