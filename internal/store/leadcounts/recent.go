package leadcounts

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// recentDays is how many days recent_leads keeps before that of the newest lead, so ten in all: seven are read (query.EffectOf), and the
// clock that gave the newest lead its day may be ahead.
const recentDays = 9

// areaDigits is how many digits of a ZIP code name a row of recent_leads.
const areaDigits = 3

// recentLead is a kind of leads that recent_leads counts.
type recentLead struct{ period, zip, service string }

// beginRecent deletes the days that are too old, and returns the first day that is kept.
func (x *Counter) beginRecent(c db.Conn, lastLead int64) (string, error) {
	newest, _, err := db.One(c, db.FirstInt, `SELECT created_at FROM leads WHERE seq <= $1 ORDER BY seq DESC LIMIT 1`, lastLead)
	if err != nil {
		return "", err
	}
	from := rows.Time(newest).In(x.zone).AddDate(0, 0, -recentDays).Format(time.DateOnly)
	return from, c.Exec(`DELETE FROM recent_leads WHERE period < $1`, []any{from})
}

// countRecent counts a lead that is or was on the market, if it is not too old.
func (d *deltas) countRecent(f facts, as counted, by int) {
	if f.period >= d.recentFrom && as.outcome.OnMarket() && len(f.zip) == 5 {
		d.recent[recentLead{f.period, f.zip, f.service}] += by
	}
}

// writeRecent adds to the counts of the last days.
func (d *deltas) writeRecent(c db.Conn) error {
	areas := make(map[string][]string) // of each day
	for k, by := range d.recent {
		if area := k.zip[:areaDigits]; by != 0 && !slices.Contains(areas[k.period], area) {
			areas[k.period] = append(areas[k.period], area)
		}
	}
	for _, period := range slices.Sorted(maps.Keys(areas)) {
		slices.Sort(areas[period])
		if err := d.writeRecentDay(c, period, areas[period]); err != nil {
			return err
		}
	}
	return nil
}

func (d *deltas) writeRecentDay(c db.Conn, period string, areas []string) error {
	known := make(map[recentLead]int)
	if err := eachRecent(c, []string{period}, areas, func(day, zip string, s lead.Service, n int) {
		known[recentLead{day, zip, string(s)}] = n
	}); err != nil {
		return err
	}
	for k, by := range d.recent {
		if k.period == period {
			known[k] += by
		}
	}
	var lines []string
	var args []any
	for _, area := range areas {
		counts, leads := encodeRecent(area, known)
		lines = append(lines, "("+db.Placeholders(len(args)+1, 4)+")")
		args = append(args, period, area, leads, counts)
	}
	return c.Exec(`INSERT INTO recent_leads (period, area, leads, counts) VALUES `+strings.Join(lines, ",")+
		` ON CONFLICT (period, area) DO UPDATE SET leads = excluded.leads, counts = excluded.counts`, args)
}

// encodeRecent writes the counts of an area, in a fixed order, and their sum.
func encodeRecent(area string, known map[recentLead]int) (text string, leads int64) {
	services := make(map[string][]string)
	for k, n := range known {
		if k.zip[:areaDigits] != area || n <= 0 {
			continue
		}
		zip := k.zip[areaDigits:]
		if n > 1 {
			zip += "x" + strconv.Itoa(n)
		}
		services[k.service] = append(services[k.service], zip)
		leads += int64(n)
	}
	var parts []string
	for _, s := range slices.Sorted(maps.Keys(services)) {
		slices.Sort(services[s])
		parts = append(parts, s+":"+strings.Join(services[s], ","))
	}
	return strings.Join(parts, ";"), leads
}

// EachRecent calls do for the leads of some of the last days, by day, ZIP code and service: those that are or were on the market. areas
// are the first three digits of the ZIP codes, or nil for all.
func (t Counts) EachRecent(days, areas []string, do func(day, zip string, s lead.Service, leads int)) error {
	return eachRecent(t.Conn, days, areas, do)
}

func eachRecent(c db.Conn, days, areas []string, do func(day, zip string, s lead.Service, leads int)) error {
	args, inAreas := with(nil, days), ""
	if areas != nil {
		args, inAreas = with(args, areas), ` AND area IN (`+db.Placeholders(len(days)+1, len(areas))+`)`
	}
	// One row for each day: several thousand rows would take longer to hand over than to read.
	return c.Query(`SELECT period, string_agg(area || '=' || counts, '|') FROM recent_leads WHERE period IN (`+db.Placeholders(1, len(days))+`)`+inAreas+` GROUP BY period`, args, func(r db.Row) error {
		for line := range strings.SplitSeq(r.Text(1), "|") {
			area, counts, _ := strings.Cut(line, "=")
			if err := decodeRecent(r.Text(0), area, counts, do); err != nil {
				return err
			}
		}
		return nil
	})
}

func decodeRecent(day, area, text string, do func(day, zip string, s lead.Service, leads int)) error {
	for text != "" {
		var part, zip string
		part, text, _ = strings.Cut(text, ";")
		service, zips, _ := strings.Cut(part, ":")
		for zips != "" {
			zip, zips, _ = strings.Cut(zips, ",")
			zip, times, many := strings.Cut(zip, "x")
			n := 1
			if many {
				var err error
				if n, err = strconv.Atoi(times); err != nil {
					return fmt.Errorf("recent_leads of %s in %s: %w", day, area, err)
				}
			}
			do(day, area+zip, lead.Service(service), n)
		}
	}
	return nil
}
