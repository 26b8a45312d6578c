package entered

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/store"
)

// ParseSpan reads a range of dates: a day or a month, two of them with .. between, one of them with .. before or after, or how long ago
// the range begins, such as 7d.
func ParseSpan(text string, c Clock) (span store.Span, err error) {
	if ago, ok := parseAgo(text); ok {
		return store.Span{From: c.Now.Add(-ago)}, nil
	}
	first, last, isRange := strings.Cut(text, "..")
	if !isRange {
		last = first
	}
	var begins, ends store.Span
	if first != "" {
		if begins, err = ParseDate(first, c); err != nil {
			return span, err
		}
	}
	if last != "" {
		if ends, err = ParseDate(last, c); err != nil {
			return span, err
		}
	}
	span = store.Span{From: begins.From, To: ends.To}
	switch {
	case first == "" && last == "":
		return span, errors.New("write at least one date")
	case !isRange && span.From.Equal(span.To):
		return span, fmt.Errorf("%.40q is a moment: write .. before it or after it", text)
	case !span.From.IsZero() && !span.To.IsZero() && !span.From.Before(span.To):
		return span, fmt.Errorf("%.60q ends before it begins", text)
	}
	return span, nil
}

// ParseDate reads a day, a month or a time. A time is a span without length.
func ParseDate(text string, c Clock) (store.Span, error) {
	day := func(t time.Time) store.Span {
		y, m, d := t.Date()
		return store.Span{From: time.Date(y, m, d, 0, 0, 0, 0, c.Zone), To: time.Date(y, m, d+1, 0, 0, 0, 0, c.Zone)}
	}
	switch text = strings.TrimSpace(text); text {
	case "today":
		return day(c.Now.In(c.Zone)), nil
	case "yesterday":
		return day(c.Now.In(c.Zone).AddDate(0, 0, -1)), nil
	}
	if t, err := time.Parse(time.DateOnly, text); err == nil {
		return day(t), nil
	}
	if month, err := buyer.ParseMonth(text); err == nil {
		return store.Span{From: month.Begins(c.Zone), To: month.Next().Begins(c.Zone)}, nil
	}
	if ago, ok := parseAgo(text); ok {
		t := c.Now.Add(-ago)
		return store.Span{From: t, To: t}, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04"} {
		if t, err := time.ParseInLocation(layout, text, c.Zone); err == nil {
			return store.Span{From: t, To: t}, nil
		}
	}
	return store.Span{}, fmt.Errorf("%.40q is no date: write one such as 2026-11-05, 2026-11, 2026-11-01..2026-11-07, today or 7d", text)
}

// parseAgo reads a number of days or hours, such as 7d.
func parseAgo(text string) (time.Duration, bool) {
	if text == "" {
		return 0, false
	}
	unit := map[byte]time.Duration{'d': 24 * time.Hour, 'h': time.Hour}[text[len(text)-1]]
	n, err := strconv.Atoi(text[:len(text)-1])
	return time.Duration(n) * unit, unit > 0 && err == nil && n > 0 && n < 10_000
}

// Clock is what a time in a filter is relative to.
type Clock struct {
	Now  time.Time
	Zone *time.Location
}

// Held says which held leads a buyer gets when it is started: all, none, or those of the last days.
type Held struct {
	All  bool
	Days int // if not All; 0 means none
}

// maxHeldDays is longer than any lead is held.
const maxHeldDays = 3650

// ParseHeld parses "all", "none", or a number of days.
func ParseHeld(text string) (Held, error) {
	switch text {
	case "all":
		return Held{All: true}, nil
	case "none":
		return Held{}, nil
	}
	days, err := strconv.Atoi(text)
	if err != nil || days < 1 || days > maxHeldDays {
		return Held{}, fmt.Errorf("%.40q cannot be used: write none, all, or a number of days such as 7", text)
	}
	return Held{Days: days}, nil
}

// Since returns the earliest time a lead may have been received; the zero time means all leads.
func (h Held) Since(now time.Time) time.Time {
	if h.All {
		return time.Time{}
	}
	return now.AddDate(0, 0, -h.Days)
}
