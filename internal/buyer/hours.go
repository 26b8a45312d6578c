package buyer

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Hours are when a buyer takes leads, such as "mon-fri 08:00-18:00, sat 09:00-13:00" in a time zone. An empty Text means always.
type Hours struct {
	Text string `json:"text,omitempty"`
	Zone string `json:"time_zone,omitempty"`
}

// span is one opening: a weekday, and the minutes of that day.
type span struct {
	day           time.Weekday
	opens, closes int
}

var weekdays = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// Check returns an error if the text or the zone is invalid.
func (h Hours) Check() error {
	if _, err := time.LoadLocation(h.Zone); err != nil || h.Zone == "Local" {
		return fmt.Errorf("%q is not a time zone: write one such as America/New_York", h.Zone)
	}
	_, err := h.spans()
	return err
}

func (h Hours) spans() ([]span, error) {
	if strings.TrimSpace(h.Text) == "" {
		return nil, nil
	}
	var spans []span
	for part := range strings.SplitSeq(h.Text, ",") {
		days, times, _ := strings.Cut(strings.TrimSpace(part), " ")
		first, last, _ := strings.Cut(strings.ToLower(days), "-")
		if last == "" {
			last = first
		}
		from, to := slices.Index(weekdays, first), slices.Index(weekdays, last)
		opens, closes, ok := parseMinutes(strings.TrimSpace(times))
		if from < 0 || to < 0 || !ok {
			return nil, fmt.Errorf("%q are not opening hours: write them as in mon-fri 08:00-18:00, sat 09:00-13:00; a night is two, as in fri 22:00-24:00, sat 00:00-06:00", strings.TrimSpace(part))
		}
		for day := from; ; day = (day + 1) % 7 {
			spans = append(spans, span{time.Weekday(day), opens, closes})
			if day == to {
				break
			}
		}
	}
	return spans, nil
}

// hoursPattern matches hours such as 08:00-18:00 or 8:00-18:00.
var hoursPattern = regexp.MustCompile(`^(\d{1,2}):([0-5]\d)-(\d{1,2}):([0-5]\d)$`)

// parseMinutes parses 08:00-18:00 as minutes of the day. The end may be 24:00, and must be after the beginning.
func parseMinutes(text string) (opens, closes int, ok bool) {
	parts := hoursPattern.FindStringSubmatch(text)
	if parts == nil {
		return 0, 0, false
	}
	at := func(i int) int {
		h, _ := strconv.Atoi(parts[i])
		m, _ := strconv.Atoi(parts[i+1])
		return h*60 + m
	}
	opens, closes = at(1), at(3)
	return opens, closes, opens < closes && closes <= 24*60
}

// calendar is parsed hours: loading a time zone takes longer than evaluating all rules of a buyer.
type calendar struct {
	spans []span
	zone  *time.Location
}

func (h Hours) calendar() calendar {
	spans, _ := h.spans()
	return calendar{spans, h.location()}
}

// location returns UTC if no zone is named, and for a zone that is no longer in the time zone database.
func (h Hours) location() *time.Location {
	if zone, err := time.LoadLocation(h.Zone); err == nil {
		return zone
	}
	return time.UTC
}

// open reports whether a buyer takes leads at a time.
func (c calendar) open(now time.Time) bool {
	local := now.In(c.zone)
	minute := local.Hour()*60 + local.Minute()
	return len(c.spans) == 0 ||
		slices.ContainsFunc(c.spans, func(s span) bool { return s.day == local.Weekday() && s.opens <= minute && minute < s.closes })
}

// reopens returns when a closed buyer opens again. An opening time that daylight saving skips moves to the next time that
// exists.
func (c calendar) reopens(now time.Time) time.Time {
	local := now.In(c.zone)
	var next time.Time
	for days := range 8 {
		for _, s := range c.spans {
			opens := time.Date(local.Year(), local.Month(), local.Day()+days, s.opens/60, s.opens%60, 0, 0, c.zone)
			if opens.Hour()*60+opens.Minute() < s.opens { // time.Date chose the time before the gap, when the buyer is still closed
				opens = opens.Add(time.Hour)
			}
			if s.day == opens.Weekday() && opens.After(now) && (next.IsZero() || opens.Before(next)) {
				next = opens
			}
		}
	}
	return next
}
