package terminal

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
)

// Time formats a time for people: in UTC, and in local time if that differs.
func Time(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.UTC().Format(time.DateTime) + " UTC" + Local(t)
}

// Local formats a time in the local zone, in parentheses, or returns "" if that is UTC. It includes the day if that differs
// from the day in UTC.
func Local(t time.Time) string {
	here := t.Local()
	name, offset := here.Zone()
	if offset == 0 && (name == "UTC" || name == "GMT") {
		return ""
	}
	layout := "15:04:05 MST"
	if here.Day() != t.UTC().Day() {
		layout = "Jan 2, 15:04:05 MST"
	}
	return " (" + here.Format(layout) + ")"
}

// Duration formats a duration, and never as zero.
func Duration(d time.Duration) string {
	switch {
	case d < 100*time.Microsecond:
		return "under 0.1 ms"
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	switch s := int64(d.Round(time.Second).Seconds()); {
	case s < 3600:
		return fmt.Sprintf("%d min %d s", s/60, s%60)
	case s < 48*3600:
		return fmt.Sprintf("%d h %d min", s/3600, s%3600/60)
	default:
		return fmt.Sprintf("%d d %d h", s/86400, s%86400/3600)
	}
}

// Number formats a number for people: 512,340.
func Number(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Count formats a count with its noun.
func Count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Number(n) + " " + noun + "s"
}

// OneLine makes text from outside safe for a line on a terminal: buyers may send anything, control codes included.
func OneLine(text string) string {
	printable := strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return ' '
		}
		return c
	}, text)
	return strings.Join(strings.Fields(printable), " ")
}

// Short is OneLine with at most so many characters.
func Short(text string, most int) string {
	text = OneLine(text)
	if runes := []rune(text); len(runes) > most {
		return strings.TrimSpace(string(runes[:most-1])) + "…"
	}
	return text
}

// Table prints a table. Tabs separate the headings.
func Table(w io.Writer, headings string, rows [][]any) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, headings)
	for _, cells := range rows {
		fmt.Fprintf(table, strings.Repeat("%v\t", len(cells)-1)+"%v\n", cells...)
	}
	return table.Flush()
}
