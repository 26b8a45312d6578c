package leadcounts

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"foyer/internal/store/db"
)

// The kinds of day_counts.
const (
	offerWait  = "offer wait"  // how many leads waited how long until a buyer was first asked, by bucket
	saleWait   = "sale wait"   // the same until a buyer had the contact
	answerWait = "answer wait" // how many messages a buyer answered after how long, by bucket
	answers    = "answers"     // what a buyer answered
	returned   = "returns"     // why and with what end leads were given back to a buyer, and what it got for them
)

// dayKey is a row of day_counts.
type dayKey struct{ kind, period, name string }

func compareDays(a, b dayKey) int {
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.period, b.period), cmp.Compare(a.name, b.name))
}

// dayDeltas are changes of day_counts: of rows, by what is counted.
type dayDeltas map[dayKey]map[string]int64

func (d dayDeltas) add(key dayKey, what string, by int64) {
	if d[key] == nil {
		d[key] = make(map[string]int64)
	}
	d[key][what] += by
}

// write reads the rows that changed and writes them again, with one statement each for all of them. It adds to a copy: the transaction may
// be rolled back and run again.
func (d dayDeltas) write(c db.Conn) error {
	sums := make(dayDeltas)
	for key, by := range d {
		for what, n := range by {
			if n != 0 {
				sums.add(key, what, n)
			}
		}
	}
	if len(sums) == 0 {
		return nil
	}
	keys := slices.SortedFunc(maps.Keys(sums), compareDays)
	var places []string
	var args []any
	for _, k := range keys {
		places = append(places, "("+db.Placeholders(len(args)+1, 3)+")")
		args = append(args, k.kind, k.period, k.name)
	}
	if err := c.Query(`SELECT kind, period, name, counts FROM day_counts WHERE (kind, period, name) IN (VALUES `+strings.Join(places, ",")+`)`, args, func(r db.Row) error {
		key := dayKey{r.Text(0), r.Text(1), r.Text(2)}
		return unpack(r.Text(3), func(what string, n int64) { sums.add(key, what, n) })
	}); err != nil {
		return err
	}
	var lines []string
	args = nil
	for _, k := range keys {
		lines = append(lines, "("+db.Placeholders(len(args)+1, 4)+")")
		args = append(args, k.kind, k.period, k.name, pack(sums[k]))
	}
	return c.Exec(`INSERT INTO day_counts (kind, period, name, counts) VALUES `+strings.Join(lines, ",")+
		` ON CONFLICT (kind, period, name) DO UPDATE SET counts = excluded.counts`, args)
}

// pack writes counts as text, such as accept:9,reject cap:1. What is counted has neither of these signs.
func pack(counts map[string]int64) string {
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		if n := counts[what]; n != 0 {
			parts = append(parts, what+":"+strconv.FormatInt(n, 10))
		}
	}
	return strings.Join(parts, ",")
}

// unpack reads what pack wrote. A year of waits has a hundred thousand counts: JSON would take ten times as long.
func unpack(text string, do func(what string, n int64)) error {
	for text != "" {
		var part string
		part, text, _ = strings.Cut(text, ",")
		what, number, _ := strings.Cut(part, ":")
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return fmt.Errorf("day_counts: %w", err)
		}
		do(what, n)
	}
	return nil
}

// eachCount calls do for what is counted of a kind from one day to another, in the order of the days; name is that of a buyer, or "" for all.
func (t Counts) eachCount(kind, name, from, to string, do func(period, name, what string, n int64)) error {
	query, args := `SELECT period, name, counts FROM day_counts WHERE kind = $1 AND period >= $2 AND period <= $3`, []any{kind, from, to}
	if name != "" {
		query, args = query+` AND name = $4`, append(args, name)
	}
	return t.Conn.Query(query+` ORDER BY kind, period, name`, args, func(r db.Row) error {
		period, name := r.Text(0), r.Text(1)
		return unpack(r.Text(2), func(what string, n int64) { do(period, name, what, n) })
	})
}
