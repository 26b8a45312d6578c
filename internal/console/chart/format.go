package chart

import (
	"math"
	"strconv"
	"strings"
)

// Unit says what values are, and so how they are written.
type Unit int

const (
	Count    Unit = iota // 1,234; on an axis 1.2k
	Cents                // 123450 is $1,234.50; on an axis $1.2k
	Percent              // 81 is 81 %
	Duration             // in seconds: 450 ms, 1.2 s, 3.5 min, 2 h, 3 d
)

// adds says whether the sum of values means something. That of percentages and of waiting times does not.
func (u Unit) adds() bool { return u == Count || u == Cents }

// text writes a value in full, for titles, tables and labels of bars.
func (u Unit) text(v float64) string {
	switch u {
	case Cents:
		return dollars(math.Round(v)/100, 2)
	case Percent:
		return decimal(v) + " %"
	case Duration:
		return duration(v)
	}
	return decimal(v)
}

// short writes a value for an axis or a legend, where a rounded one is enough.
func (u Unit) short(v float64) string {
	switch u {
	case Cents:
		if v = math.Round(v) / 100; math.Abs(v) < 100 && v != math.Trunc(v) {
			return dollars(v, 2)
		}
		if v < 0 {
			return "-$" + compact(-v)
		}
		return "$" + compact(v)
	case Percent:
		return compact(v) + " %"
	case Duration:
		return duration(v)
	}
	return compact(v)
}

// decimal writes a number with thousands separators, and with one decimal place if it is small and not whole.
func decimal(v float64) string {
	if math.Abs(v) < 99.95 {
		return trimmed(v, 1)
	}
	return thousands(v, 0)
}

// dollars writes an amount with its sign before the dollar sign.
func dollars(v float64, places int) string {
	if v < 0 {
		return "-$" + thousands(-v, places)
	}
	return "$" + thousands(v, places)
}

// thousands writes a number with separators: 1,234,567.
func thousands(v float64, places int) string {
	whole, fraction, hasFraction := strings.Cut(strconv.FormatFloat(math.Abs(v), 'f', places, 64), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if hasFraction {
		whole += "." + fraction
	}
	if v < 0 && strings.Trim(whole, "0.,") != "" {
		return "-" + whole
	}
	return whole
}

// trimmed writes a number with at most so many decimal places.
func trimmed(v float64, places int) string {
	text := strconv.FormatFloat(v, 'f', places, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		return "0"
	}
	return text
}

// compact writes a number in three digits: 999, 1k, 12.3k, 1.2M.
func compact(v float64) string {
	v = threeDigits(v)
	i := 0
	for suffixes := len(suffixes) - 1; i < suffixes && math.Abs(v) >= 1000; i++ {
		v = threeDigits(v / 1000)
	}
	if i == len(suffixes)-1 && math.Abs(v) >= 1000 {
		return thousands(v, 0) + suffixes[i]
	}
	return trimmed(v, 3) + suffixes[i]
}

var suffixes = []string{"", "k", "M", "B", "T"}

// threeDigits rounds a number below 1,000 as compact shows it. Larger ones lose what is behind the point.
func threeDigits(v float64) float64 {
	switch a := math.Abs(v); {
	case a >= 99.95:
		return math.Round(v)
	case a >= 1:
		return math.Round(v*10) / 10
	}
	return math.Round(v*1000) / 1000
}

// durations are the units of time with the number of seconds from which each is used. The limits lie where the smaller unit
// would be rounded up to one of the next: there is no 60 s.
var durations = []struct {
	from, size float64
	name       string
}{{2 * 86400, 86400, " d"}, {3597, 3600, " h"}, {59.95, 60, " min"}, {.9995, 1, " s"}}

func duration(seconds float64) string {
	sign := ""
	if seconds < 0 {
		sign, seconds = "-", -seconds
	}
	for _, d := range durations {
		if seconds >= d.from {
			return sign + decimal(seconds/d.size) + d.name
		}
	}
	if seconds < .00005 {
		return "0 s"
	}
	return sign + decimal(seconds*1000) + " ms"
}
