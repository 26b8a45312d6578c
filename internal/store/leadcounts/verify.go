package leadcounts

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/follow"
)

// verifiedRows is how many rows are added up before they are hashed: their counts have far fewer keys.
const verifiedRows = 5_000

// Verify reconciles the counts with the leads. It counts everything again, from what each lead was counted as, the ledger and the answers of buyers, and calls differ for each kind
// of count and period that has other rows. If the counts are not complete, they begin again soon, and there is nothing to verify.
func Verify(ctx context.Context, from db.Querier, differ func(what, period string)) error {
	p := make(follow.Progress)
	zone := ""
	if err := errors.Join(
		db.Each(ctx, from, func(r db.Row) error { p[r.Text(0)] = r.Int(1); return nil }, `SELECT name, seq FROM follow_progress WHERE name IN (`+db.Quoted(offsets...)+`)`),
		db.Each(ctx, from, func(r db.Row) error { zone = r.Text(0); return nil }, `SELECT time_zone FROM count_zone`),
	); err != nil || !isComplete(p) {
		return err
	}
	location, err := time.LoadLocation(zone)
	if err != nil {
		return err
	}
	v := &verifier{ctx: ctx, from: from, zone: location, sums: make(map[verified]uint64), seed: maphash.MakeSeed()}
	if err := errors.Join(v.subtractTables(), v.countAgain(p)); err != nil {
		return err
	}
	for _, k := range slices.SortedFunc(maps.Keys(v.sums), func(a, b verified) int {
		return cmp.Or(strings.Compare(a.what, b.what), strings.Compare(a.period, b.period))
	}) {
		if v.sums[k] != 0 {
			differ(k.what, k.period)
		}
	}
	return nil
}

// verifier adds up what rows come to, and subtracts what the tables say. It keeps a sum for each kind of count and period, and no keys:
// each number is multiplied by a hash of its key, so that a row with another key leaves a sum that is not 0.
type verifier struct {
	ctx  context.Context
	from db.Querier
	zone *time.Location
	sums map[verified]uint64
	seed maphash.Seed

	recentFrom string // the first day of recent_leads
}

// verified is what a finding names.
type verified struct{ what, period string }

func addSum[K comparable](v *verifier, what, period string, key K, n int) {
	v.sums[verified{what, period}] += uint64(n) * (maphash.Comparable(v.seed, key) | 1)
}

// add adds deltas, times a factor.
func (v *verifier) add(d *deltas, factor int) {
	for k, columns := range d.places {
		for column, n := range columns {
			addSum(v, "leads by "+k.grain, k.period[:min(len(k.period), len(time.DateOnly))], struct {
				placeKey
				column string
			}{k, column}, factor*n)
		}
	}
	for k, counts := range d.days {
		for what, n := range counts {
			addSum(v, strings.TrimSpace(k.kind+" "+k.name), k.period, struct {
				dayKey
				what string
			}{k, what}, factor*int(n))
		}
	}
	for k, n := range d.sources {
		addSum(v, "leads by "+k.grain, k.period, k, factor*n)
	}
	for k, n := range d.money {
		addSum(v, "money: "+k.kind, k.period, k, factor*n)
	}
	for k, n := range d.recent {
		addSum(v, "leads of the last days", k.period, k, factor*n)
	}
}

// each adds up what count makes of the rows of a query.
func (v *verifier) each(factor int, query string, args []any, count func(d *deltas, r db.Row) error) error {
	d, n := newDeltas(v.recentFrom), 0
	err := db.Each(v.ctx, v.from, func(r db.Row) error {
		if n++; n%verifiedRows == 0 {
			v.add(d, factor)
			d = newDeltas(v.recentFrom)
		}
		return count(d, r)
	}, query, args...)
	v.add(d, factor)
	return err
}

// countAgain counts the rows that were counted.
func (v *verifier) countAgain(p follow.Progress) error {
	counted := func(d *deltas, r db.Row) error {
		f := newFacts(r.Int(0), v.zone, r.Text(1), r.Text(2), r.Text(3))
		d.count(f, counted{buyer.Outcome(r.Text(4)), r.Int(5), r.Int(6), r.Int(7), r.Text(8)}, +1)
		return nil
	}
	return errors.Join(
		v.each(+1, `SELECT l.created_at, l.service_type, l.zip_code, l.source, c.outcome, c.offer_wait, c.sale_wait, c.cost_cents, c.campaign
			FROM lead_outcomes c JOIN leads l ON l.seq = c.lead_seq`, nil, counted),
		v.each(+1, ledgerQuery, []any{int64(0), p[ledgerFollower], int64(math.MaxInt64)}, func(d *deltas, r db.Row) error { d.addRevenue(r, v.zone); return nil }),
		v.each(+1, countedReturns, nil, func(d *deltas, r db.Row) error { d.addReturn(r, v.zone, r.Text(4), 1); return nil }),
		v.each(+1, answersQuery, []any{int64(0), p[answersFollower], int64(math.MaxInt64)}, func(d *deltas, r db.Row) error { d.addAnswer(r, v.zone); return nil }),
	)
}

// subtractTables subtracts what was counted.
func (v *verifier) subtractTables() error {
	subtract := func(query string, count func(d *deltas, r db.Row) error) error { return v.each(-1, query, nil, count) }
	columns := []string{"cents", "demand"}
	for _, o := range buyer.Outcomes {
		columns = append(columns, string(o))
	}
	v.recentFrom = "~" // after all days
	return errors.Join(
		subtract(`SELECT grain, service_type, place, period, `+strings.Join(columns, ", ")+` FROM place_counts`, func(d *deltas, r db.Row) error {
			numbers := make(map[string]int)
			for i, column := range columns {
				numbers[column] = int(r.Int(4 + i))
			}
			d.places[placeKey{r.Text(0), r.Text(1), r.Text(2), r.Text(3)}] = numbers
			return nil
		}),
		subtract(`SELECT kind, period, name, counts FROM day_counts`, func(d *deltas, r db.Row) error {
			key := dayKey{r.Text(0), r.Text(1), r.Text(2)}
			if unpack(r.Text(3), func(what string, n int64) { d.days.add(key, what, n) }) != nil {
				d.days.add(key, "unreadable", 1)
			}
			return nil
		}),
		subtract(`SELECT grain, period, name, outcome, service_type, leads FROM source_counts`, func(d *deltas, r db.Row) error {
			d.sources[sourceKey{r.Text(0), r.Text(1), r.Text(2), r.Text(3), r.Text(4)}] += int(r.Int(5))
			return nil
		}),
		subtract(`SELECT kind, period, source, service_type, cents FROM money_counts`, func(d *deltas, r db.Row) error {
			d.money[moneyKey{r.Text(0), r.Text(1), r.Text(2), r.Text(3)}] += int(r.Int(4))
			return nil
		}),
		subtract(`SELECT period, area, counts FROM recent_leads`, func(d *deltas, r db.Row) error {
			v.recentFrom = min(v.recentFrom, r.Text(0))
			if decodeRecent(r.Text(0), r.Text(1), r.Text(2), func(day, zip string, s lead.Service, n int) { d.recent[recentLead{day, zip, string(s)}] += n }) != nil {
				d.recent[recentLead{r.Text(0), r.Text(1), "unreadable"}]++
			}
			return nil
		}),
	)
}
