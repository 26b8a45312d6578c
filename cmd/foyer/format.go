package main

import (
	"fmt"
	"time"
)

// timeText formats a time for people: in UTC, and in local time if that differs.
func timeText(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.UTC().Format(time.DateTime) + " UTC" + local(t)
}

// local formats a time in the local zone, in parentheses, or returns "" if that is UTC. It includes the day if that differs
// from the day in UTC.
func local(t time.Time) string {
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

// timelineLayout is RFC 3339 in UTC with a fixed width, to keep columns aligned.
const timelineLayout = "2006-01-02T15:04:05.000Z"

// durationText formats a duration, and never as zero.
func durationText(d time.Duration) string {
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
	return d.Round(time.Second).String()
}

// orNull returns nil, JSON's null, for an empty value.
func orNull[T ~string | ~int](v T) *T {
	var nothing T
	if v == nothing {
		return nil
	}
	return &v
}

// timeOrNull returns nil, JSON's null, for the zero time.
func timeOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
