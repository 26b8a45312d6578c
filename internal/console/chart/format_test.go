package chart

import (
	"math"
	"testing"
)

func TestFormats(t *testing.T) {
	for _, c := range []struct {
		unit        Unit
		value       float64
		text, short string
	}{
		{Count, 0, "0", "0"},
		{Count, math.Copysign(0, -1), "0", "0"},
		{Count, -.04, "0", "-0.04"},
		{Count, 3.25, "3.2", "3.3"},
		{Count, 50, "50", "50"},
		{Count, 999, "999", "999"},
		{Count, 999.4, "999", "999"},
		{Count, 999.5, "1,000", "1k"},
		{Count, 1000, "1,000", "1k"},
		{Count, 1234, "1,234", "1.2k"},
		{Count, 12_345, "12,345", "12.3k"},
		{Count, 999_950, "999,950", "1M"},
		{Count, 1_234_567, "1,234,567", "1.2M"},
		{Count, -1_234_567, "-1,234,567", "-1.2M"},
		{Count, 1e15, "1,000,000,000,000,000", "1,000T"},
		{Cents, 0, "$0.00", "$0"},
		{Cents, 5, "$0.05", "$0.05"},
		{Cents, 2050, "$20.50", "$20.50"},
		{Cents, 50_000, "$500.00", "$500"},
		{Cents, 123_450, "$1,234.50", "$1.2k"},
		{Cents, -123_450, "-$1,234.50", "-$1.2k"},
		{Cents, -.2, "$0.00", "$0"},
		{Percent, 81, "81 %", "81 %"},
		{Percent, 2.54, "2.5 %", "2.5 %"},
		{Percent, 100, "100 %", "100 %"},
		{Duration, 0, "0 s", "0 s"},
		{Duration, .45, "450 ms", "450 ms"},
		{Duration, .9996, "1 s", "1 s"},
		{Duration, 1.24, "1.2 s", "1.2 s"},
		{Duration, 57.2, "57.2 s", "57.2 s"},
		{Duration, 59.96, "1 min", "1 min"},
		{Duration, 210, "3.5 min", "3.5 min"},
		{Duration, 3599, "1 h", "1 h"},
		{Duration, 36 * 3600, "36 h", "36 h"},
		{Duration, 3 * 86400, "3 d", "3 d"},
		{Duration, -90, "-1.5 min", "-1.5 min"},
	} {
		if got := c.unit.text(c.value); got != c.text {
			t.Errorf("%d: %v in full is %q, want %q", c.unit, c.value, got, c.text)
		}
		if got := c.unit.short(c.value); got != c.short {
			t.Errorf("%d: %v in short is %q, want %q", c.unit, c.value, got, c.short)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöü", 3, "äöü"}, {"äöüß", 3, "äö…"}, {"a bcd", 3, "a…"}} {
		if got := cut(c.text, c.limit); got != c.want {
			t.Errorf("%q in %d is %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}

func TestElementID(t *testing.T) {
	for _, c := range []struct{ given, title, want string }{
		{"leads-today", "x", "chart-leads-today"},
		{`a" onload="`, "x", "chart-aonload"},
		{"", "Leads an hour", elementID("<>", "Leads an hour")},
	} {
		if got := elementID(c.given, c.title); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	if elementID("", "a") == elementID("", "b") {
		t.Error("two titles have one id")
	}
}
