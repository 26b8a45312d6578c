package main

import (
	"fmt"
	"time"
)

// clock writes a time for people: in UTC, and beside it on the clock of this machine where that is another.
func clock(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.UTC().Format(time.DateTime) + " UTC" + local(t)
}

// local is a time on the clock of this machine, in parentheses, or "" where that is UTC. The day is told where it is another.
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

// exactly is RFC 3339 in UTC, in a width that keeps columns straight.
const exactly = "2006-01-02T15:04:05.000Z"

// lasted writes how long something took, never as nothing.
func lasted(d time.Duration) string {
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
