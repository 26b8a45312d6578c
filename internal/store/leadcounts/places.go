package leadcounts

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/db"
)

// placeKey is a row of place_counts.
type placeKey struct{ grain, service, place, period string }

func comparePlaces(a, b placeKey) int {
	return cmp.Or(cmp.Compare(a.grain, b.grain), cmp.Compare(a.service, b.service), cmp.Compare(a.place, b.place), cmp.Compare(a.period, b.period))
}

// placeDeltas are changes of place_counts: of rows, by column.
type placeDeltas map[placeKey]map[string]int

// The grains of place_counts.
const (
	byHour  = "hour" // of all places and services, by hour
	byDay   = "day"  // of all places, by day
	byState = "state"
	byZIP   = "zip"
)

// add changes a column for the hour, the day, the state and the ZIP code of a lead, for its service and for all services.
func (d placeDeltas) add(f facts, column string, by int) {
	for _, service := range []string{f.service, ""} {
		keys := []placeKey{{byDay, service, "", f.period}, {byState, service, f.area, f.month}, {byZIP, service, f.zip, f.month}}
		if service == "" {
			keys = append(keys, placeKey{byHour, "", "", f.hour})
		}
		for _, key := range keys {
			if d[key] == nil {
				d[key] = make(map[string]int)
			}
			d[key][column] += by
		}
	}
}

// count counts a lead as an outcome.
func (d placeDeltas) count(f facts, as buyer.Outcome, by int) {
	d.add(f, string(as), by)
	if as.OnMarket() {
		d.add(f, "demand", by)
	}
}

// write writes the columns that changed, of all rows with one statement.
func (d placeDeltas) write(c db.Conn) error {
	changed := make(map[string]bool)
	for key, columns := range d {
		maps.DeleteFunc(columns, func(_ string, by int) bool { return by == 0 })
		if len(columns) == 0 {
			delete(d, key)
		}
		for column := range columns {
			changed[column] = true
		}
	}
	if len(d) == 0 {
		return nil
	}
	columns := slices.Sorted(maps.Keys(changed))
	var lines, sets []string
	var args []any
	for _, key := range slices.SortedFunc(maps.Keys(d), comparePlaces) {
		lines = append(lines, "("+db.Placeholders(len(args)+1, 4+len(columns))+")")
		args = append(args, key.grain, key.service, key.place, key.period)
		for _, column := range columns {
			args = append(args, int64(d[key][column]))
		}
	}
	for _, column := range columns {
		sets = append(sets, column+` = place_counts.`+column+` + excluded.`+column)
	}
	return c.Exec(`INSERT INTO place_counts (grain, service_type, place, period, `+strings.Join(columns, ", ")+`) VALUES `+strings.Join(lines, ",")+
		` ON CONFLICT (grain, service_type, place, period) DO UPDATE SET `+strings.Join(sets, ", "), args)
}

// PlaceQuery says which places are counted: a range without its end, those of a list, or all.
type PlaceQuery struct {
	Grain      string         // state or zip
	From, To   string         // months
	First, End string         // of a range
	Places     []string       // of a list
	Services   []lead.Service // all, if there are none
}

// where is the condition for rows of place_counts. A list of places comes without a range: PostgreSQL plans a statement that it knows for any
// values, and would read the whole range.
func (q PlaceQuery) where() (condition string, args []any) {
	services := q.Services
	if len(services) == 0 {
		services = []lead.Service{""}
	}
	args = []any{q.Grain, q.From, q.To}
	condition = `grain = $1 AND period >= $2 AND period <= $3 AND service_type IN (` + db.Placeholders(len(args)+1, len(services)) + `)`
	args = with(args, services)
	if len(q.Places) > 0 {
		condition += ` AND place IN (` + db.Placeholders(len(args)+1, len(q.Places)) + `)`
		return condition, with(args, q.Places)
	}
	condition += fmt.Sprintf(` AND place >= $%d AND place < $%d`, len(args)+1, len(args)+2)
	return condition, append(args, q.First, cmp.Or(q.End, "~"))
}

// Sum is how many leads were received in a place, in a period or for a service, by where they stand, and what they brought in.
type Sum struct {
	Key     string
	Leads   map[buyer.Outcome]int64
	Revenue buyer.Cents
}

// sumColumns add up what a Sum has after its key, the outcomes in the order of buyer.Outcomes.
var sumColumns = func() string {
	sums := `, CAST(SUM(cents) AS BIGINT)`
	for _, column := range buyer.Outcomes {
		sums += `, CAST(SUM(` + string(column) + `) AS BIGINT)`
	}
	return sums
}()

// sums adds up rows of place_counts by a column.
func (t Counts) sums(key, where string, args []any) (list []Sum, err error) {
	err = t.Conn.Query(`SELECT `+key+sumColumns+` FROM place_counts WHERE `+where+` GROUP BY `+key, args, func(r db.Row) error {
		s := Sum{r.Text(0), make(map[buyer.Outcome]int64), buyer.Cents(r.Int(1))}
		for i, o := range buyer.Outcomes {
			if n := r.Int(2 + i); n != 0 {
				s.Leads[o] = n
			}
		}
		list = append(list, s)
		return nil
	})
	return list, err
}

// Places counts the leads of places.
func (t Counts) Places(q PlaceQuery) (list []Sum, err error) {
	where, args := q.where()
	return t.sums("place", where, args)
}

// Days counts the leads that were received on each day from one to another.
func (t Counts) Days(from, to string) ([]Sum, error) {
	return t.sums("period", `grain = '`+byDay+`' AND service_type = '' AND place = '' AND period >= $1 AND period <= $2`, []any{from, to})
}

// Services counts the leads that were received from one day to another for each service.
func (t Counts) Services(from, to string) ([]Sum, error) {
	return t.sums("service_type", `grain = '`+byDay+`' AND service_type IN (`+db.Quoted(lead.Services...)+`) AND place = '' AND period >= $1 AND period <= $2`, []any{from, to})
}

// HourFormat is how an hour is written, in the zone of the counts. An hour that a change of the clock repeats counts as one.
const HourFormat = "2006-01-02 15"

// Hours counts the leads that were received in each hour of a day.
func (t Counts) Hours(day string) ([]Sum, error) {
	return t.sums("period", `grain = '`+byHour+`' AND service_type = '' AND place = '' AND period >= $1 AND period <= $2`, []any{day + " 00", day + " 23"})
}

// PlaceRank is what places are ordered by.
type PlaceRank struct {
	Place             string
	Uncovered, Demand int64
	Revenue           buyer.Cents
}

// RankPlaces lists what places are ordered by. Of the thousands in a large state only the first are shown: to add up all that is known of
// each would take three times as long.
func (t Counts) RankPlaces(q PlaceQuery) (list []PlaceRank, err error) {
	where, args := q.where()
	err = t.Conn.Query(`SELECT place, CAST(SUM(uncovered) AS BIGINT), CAST(SUM(demand) AS BIGINT), CAST(SUM(cents) AS BIGINT) FROM place_counts WHERE `+where+` GROUP BY place`, args, func(r db.Row) error {
		list = append(list, PlaceRank{r.Text(0), r.Int(1), r.Int(2), buyer.Cents(r.Int(3))})
		return nil
	})
	return list, err
}
