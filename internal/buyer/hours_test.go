package buyer_test

import (
	"strings"
	"testing"
	"time"

	"foyer/internal/buyer"
)

// at parses a local time of a zone. Times that occur twice include the abbreviation of the zone.
func at(t *testing.T, zone, text string) time.Time {
	t.Helper()
	place, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	layout := "2006-01-02 15:04"
	if strings.Count(text, " ") == 2 {
		layout += " MST"
	}
	when, err := time.ParseInLocation(layout, text, place)
	if err != nil {
		t.Fatal(err)
	}
	return when
}

const (
	newYork    = "America/New_York"
	losAngeles = "America/Los_Angeles"
	office     = "mon-fri 08:00-18:00, sat 09:00-13:00"
)

// 2026-03-09 is a Monday. Clocks go forward on 2026-03-08, and back on 2026-11-01.
func TestHours(t *testing.T) {
	for name, c := range map[string]struct {
		hours   string
		zone    string
		now     string
		in      string // the zone of now, if different
		reopens string // "" if it is open
	}{
		"no hours are always":               {"", newYork, "2026-03-09 03:00", "", ""},
		"no hours and no zone":              {"", "", "2026-03-09 03:00", newYork, ""},
		"the first minute":                  {office, newYork, "2026-03-09 08:00", "", ""},
		"the minute before":                 {office, newYork, "2026-03-09 07:59", "", "2026-03-09 08:00"},
		"the last minute":                   {office, newYork, "2026-03-09 17:59", "", ""},
		"the minute after":                  {office, newYork, "2026-03-09 18:00", "", "2026-03-10 08:00"},
		"in the night to Saturday":          {office, newYork, "2026-03-13 23:00", "", "2026-03-14 09:00"},
		"Saturday afternoon, to Monday":     {office, newYork, "2026-03-14 13:00", "", "2026-03-16 08:00"},
		"noon in New York, in California":   {office, losAngeles, "2026-03-09 10:00", newYork, "2026-03-09 11:00"}, // 08:00 there
		"evening in California":             {office, losAngeles, "2026-03-09 17:59", "", ""},
		"it is another day there":           {"tue 00:00-24:00", newYork, "2026-03-09 23:00", losAngeles, ""},
		"to the end of the day":             {"mon 20:00-24:00", newYork, "2026-03-09 23:59", "", ""},
		"and no further":                    {"mon 20:00-24:00", newYork, "2026-03-10 00:00", "", "2026-03-16 20:00"},
		"a whole week":                      {"mon 08:00-09:00", newYork, "2026-03-09 09:00", "", "2026-03-16 08:00"},
		"over the end of the week":          {"sat-mon 10:00-11:00", newYork, "2026-03-08 10:30", "", ""},
		"and not in its middle":             {"sat-mon 10:00-11:00", newYork, "2026-03-11 10:30", "", "2026-03-14 10:00"},
		"all days":                          {"mon-sun 06:00-22:00", newYork, "2026-03-15 22:00", "", "2026-03-16 06:00"},
		"two openings of a day":             {"mon 08:00-12:00, mon 13:00-17:00", newYork, "2026-03-09 12:30", "", "2026-03-09 13:00"},
		"capitals":                          {"MON-Fri 8:00-18:00", newYork, "2026-03-09 07:00", "", "2026-03-09 08:00"},
		"the day clocks go forward":         {"sun 10:00-12:00", newYork, "2026-03-08 01:00", "", "2026-03-08 10:00"}, // eight hours later
		"open while clocks go forward":      {"sun 01:00-05:00", newYork, "2026-03-08 03:10", "", ""},
		"the day clocks go back":            {"sun 10:00-12:00", newYork, "2026-11-01 00:30", "", "2026-11-01 10:00"},
		"the first half past one":           {"sun 01:00-02:00", newYork, "2026-11-01 01:30 EDT", "", ""},
		"the second half past one":          {"sun 01:00-02:00", newYork, "2026-11-01 01:30 EST", "", ""},
		"a year ends":                       {"fri 08:00-18:00", newYork, "2026-12-31 20:00", "", "2027-01-01 08:00"},
		"hours of a zone with half an hour": {"mon 09:00-17:00", "Asia/Kolkata", "2026-03-09 08:59", "", "2026-03-09 09:00"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newCandidate(func(terms *buyer.Terms) { terms.Hours = buyer.Hours{Text: c.hours, Zone: c.zone} })
			if err := p.Terms.Hours.Check(); err != nil {
				t.Fatal(err)
			}
			in := c.in
			if in == "" {
				in = c.zone
			}
			_, x, err := p.Room(buyer.Facts{}, at(t, in, c.now), 1)
			if err != nil {
				t.Fatal(err)
			}
			if c.reopens == "" {
				if x.Rule != "" {
					t.Errorf("closed until %v", x.Until)
				}
				return
			}
			if want := at(t, in, c.reopens); x.Rule != buyer.RuleHours || !x.Until.Equal(want) {
				t.Errorf("%q until %v, want %v", x.Rule, x.Until, want)
			}
		})
	}
}

// An opening time that daylight saving time skips moves to the next time that exists, and not to the next day.
func TestHoursSkippedByDST(t *testing.T) {
	p := newCandidate(func(terms *buyer.Terms) { terms.Hours = buyer.Hours{Text: "sun 02:30-06:00", Zone: newYork} })
	now := at(t, newYork, "2026-03-08 01:00")
	_, x, err := p.Room(buyer.Facts{}, now, 1)
	if err != nil || x.Rule != buyer.RuleHours {
		t.Fatalf("%+v, %v", x, err)
	}
	for looks := 0; x.Rule != ""; looks++ {
		if now = x.Until; looks > 3 || now.After(at(t, newYork, "2026-03-08 03:30")) {
			t.Fatalf("closed until %v", now)
		}
		if _, x, err = p.Room(buyer.Facts{}, now, 1); err != nil {
			t.Fatal(err)
		}
	}
}

func TestInvalidHours(t *testing.T) {
	for _, text := range []string{
		"always", "mon", "mon-fri", "mon 8-18", "mon 08:00", "mon 08:00-", "mon 18:00-08:00", "mon 08:00-08:00", "mon 08:00-24:01", "mon 25:00-26:00",
		"mon 08:60-18:00", "mon 08:00-18:00 sharp", "monday 08:00-18:00", "mon-fry 08:00-18:00", "mon 08:00-18:00,", "08:00-18:00", "mon -1:00-18:00",
		"mon 08:00–18:00", "mon,tue 08:00-18:00",
	} {
		if err := (buyer.Hours{Text: text, Zone: newYork}).Check(); err == nil {
			t.Errorf("%q are opening hours", text)
		}
	}
	for _, h := range []buyer.Hours{{Zone: "New York"}, {Zone: "Local"}, {Text: office, Zone: "America/Nowhere"}} {
		if err := h.Check(); err == nil {
			t.Errorf("%+v are opening hours", h)
		}
	}
}
