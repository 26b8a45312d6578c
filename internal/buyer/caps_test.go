package buyer_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
)

// Periods follow the buyer's time zone. Daylight saving time makes days of 23 and of 25 hours.
func TestPeriods(t *testing.T) {
	all := buyer.Caps{Hour: 10, Day: 20, Month: 30, Total: 40}
	type span struct{ begin, end string }
	for name, c := range map[string]struct {
		zone, now, in    string
		hour, day, month span // in local time
		hours            int  // in the day
	}{
		"a common day": {
			newYork, "2026-03-10 12:34", "",
			span{"2026-03-10 12:00", "2026-03-10 13:00"},
			span{"2026-03-10 00:00", "2026-03-11 00:00"},
			span{"2026-03-01 00:00", "2026-04-01 00:00"},
			24,
		},
		"it is another day there": {
			losAngeles, "2026-04-01 02:30", newYork,
			span{"2026-03-31 23:00", "2026-04-01 00:00"},
			span{"2026-03-31 00:00", "2026-04-01 00:00"},
			span{"2026-03-01 00:00", "2026-04-01 00:00"},
			24,
		},
		"the first moment of a year": {
			newYork, "2027-01-01 00:00", "",
			span{"2027-01-01 00:00", "2027-01-01 01:00"},
			span{"2027-01-01 00:00", "2027-01-02 00:00"},
			span{"2027-01-01 00:00", "2027-02-01 00:00"},
			24,
		},
		"clocks go forward": {
			newYork, "2026-03-08 12:00", "",
			span{"2026-03-08 12:00", "2026-03-08 13:00"},
			span{"2026-03-08 00:00", "2026-03-09 00:00"},
			span{"2026-03-01 00:00", "2026-04-01 00:00"},
			23,
		},
		"clocks go back, the second time one o'clock": {
			newYork, "2026-11-01 01:30 EST", "",
			span{"2026-11-01 01:00 EST", "2026-11-01 02:00"},
			span{"2026-11-01 00:00", "2026-11-02 00:00"},
			span{"2026-11-01 00:00", "2026-12-01 00:00"},
			25,
		},
		"no zone is UTC": {
			"", "2026-02-28 23:59", "UTC",
			span{"2026-02-28 23:00", "2026-03-01 00:00"},
			span{"2026-02-28 00:00", "2026-03-01 00:00"},
			span{"2026-02-01 00:00", "2026-03-01 00:00"},
			24,
		},
	} {
		t.Run(name, func(t *testing.T) {
			in := c.in
			if in == "" {
				in = c.zone
			}
			asked := periods(t, all, c.zone, at(t, in, c.now))
			if len(asked) != 4 {
				t.Fatalf("%d periods were asked for", len(asked))
			}
			for i, want := range []span{c.hour, c.day, c.month} {
				if p := asked[i]; !p.Begin.Equal(at(t, c.zone, want.begin)) || !p.End.Equal(at(t, c.zone, want.end)) {
					t.Errorf("the %s goes from %v to %v, want %v", p.Name, p.Begin, p.End, want)
				}
			}
			if got := asked[1].End.Sub(asked[1].Begin); got != time.Duration(c.hours)*time.Hour {
				t.Errorf("the day has %v", got)
			}
			if !asked[3].Begin.IsZero() || asked[3].Cap != 40 {
				t.Errorf("the total is %+v", asked[3])
			}
		})
	}
}

// periods returns the capped periods that a buyer's rules query at a time.
func periods(t *testing.T, caps buyer.Caps, zone string, now time.Time) (asked []buyer.Period) {
	t.Helper()
	p := newCandidate(func(terms *buyer.Terms) { terms.Caps, terms.Hours.Zone = caps, zone })
	_, x, err := p.Room(buyer.Facts{Used: func(p buyer.Period) (buyer.Usage, error) { asked = append(asked, p); return buyer.Usage{}, nil }}, now, 1)
	if err != nil || x.Rule != "" {
		t.Fatalf("%+v, %v", x, err)
	}
	return asked
}

// Without caps, the periods are the same.
func TestPeriodsWithoutCaps(t *testing.T) {
	now := at(t, newYork, "2026-03-10 12:34")
	asked := periods(t, buyer.Caps{Hour: 1, Day: 1, Month: 1, Total: 1}, newYork, now)
	for i := range asked {
		asked[i].Cap = 0
	}
	bare := buyer.Terms{Hours: buyer.Hours{Zone: newYork}}
	if diff := cmp.Diff(asked, bare.Periods(now)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	bare.Caps.Day = 7
	if got := bare.Periods(now); len(got) != 4 || got[0].Cap != 0 || got[1].Cap != 7 {
		t.Errorf("with a cap of the day: %+v", got)
	}
}

func TestCaps(t *testing.T) {
	now := at(t, newYork, "2026-03-10 12:34")
	for name, c := range map[string]struct {
		caps  buyer.Caps
		used  map[string]int
		rule  string
		until string // "" if time does not lift it
		room  int    // of 10
	}{
		"none":                      {buyer.Caps{}, nil, "", "", 10},
		"with room":                 {buyer.Caps{Hour: 5}, map[string]int{"hour": 2}, "", "", 3},
		"the last place":            {buyer.Caps{Hour: 5}, map[string]int{"hour": 4}, "", "", 1},
		"reached in the hour":       {buyer.Caps{Hour: 5}, map[string]int{"hour": 5}, buyer.RuleCap, "2026-03-10 13:00", 0},
		"reached in the day":        {buyer.Caps{Hour: 5, Day: 9}, map[string]int{"hour": 1, "day": 9}, buyer.RuleCap, "2026-03-11 00:00", 0},
		"reached in the month":      {buyer.Caps{Month: 9}, map[string]int{"month": 9}, buyer.RuleCap, "2026-04-01 00:00", 0},
		"the least room counts":     {buyer.Caps{Hour: 5, Day: 9, Month: 20}, map[string]int{"hour": 1, "day": 7, "month": 7}, "", "", 2},
		"lowered below what it has": {buyer.Caps{Day: 1}, map[string]int{"day": 7}, buyer.RuleCap, "2026-03-11 00:00", 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := newCandidate(func(terms *buyer.Terms) { terms.Caps, terms.Hours.Zone = c.caps, newYork })
			facts := buyer.Facts{Used: func(p buyer.Period) (buyer.Usage, error) { return buyer.Usage{Leads: c.used[p.Name]}, nil }}
			_, x, err := p.Room(facts, now, 1)
			if err != nil || x.Rule != c.rule || c.until != "" && !x.Until.Equal(at(t, newYork, c.until)) {
				t.Errorf("%+v, %v; want %s until %s", x, err, c.rule, c.until)
			}
			if room, _, err := p.Room(facts, now, 10); err != nil || room.Leads != c.room {
				t.Errorf("there is room for %d, %v; want %d", room.Leads, err, c.room)
			}
		})
	}
	t.Run("of all leads", func(t *testing.T) {
		p := newCandidate(func(terms *buyer.Terms) { terms.Caps.Total = 3 })
		_, x, err := p.Room(buyer.Facts{Used: func(buyer.Period) (buyer.Usage, error) { return buyer.Usage{Leads: 3}, nil }}, now, 1)
		if err != nil || x.Rule != buyer.RuleCap || !x.Until.IsZero() && x.Until.Before(now.AddDate(100, 0, 0)) {
			t.Errorf("%+v, %v; want a cap that no time lifts", x, err)
		}
	})
	t.Run("that cannot be counted", func(t *testing.T) {
		p := newCandidate(func(terms *buyer.Terms) { terms.Caps.Day = 3 })
		sick := errors.New("the disk is sick")
		if _, _, err := p.Room(buyer.Facts{Used: func(buyer.Period) (buyer.Usage, error) { return buyer.Usage{}, sick }}, now, 1); !errors.Is(err, sick) {
			t.Errorf("got %v", err)
		}
	})
}
