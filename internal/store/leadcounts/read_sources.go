package leadcounts

import (
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/db"
)

// part is a range of periods to read: days, or whole months. minus means that it is taken away.
type part struct {
	from, to      string
	months, minus bool
}

// parts splits days into whole months, and the days by which the first and the last month differ from the range: added, or taken away if
// those are fewer. So a year has 12 or 13 months, and no more days than one month.
func parts(from, to string) []part {
	first, err := time.Parse(time.DateOnly, from)
	last, errLast := time.Parse(time.DateOnly, to)
	if err != nil || errLast != nil || last.Before(first) {
		return []part{{from: from, to: to}}
	}
	begin, end := monthOf(first), monthOf(last).AddDate(0, 1, 0) // end is not in it
	whole := span{first, last.AddDate(0, 0, 1)}
	before, after := span{begin, first}, span{whole.end, end}
	var list []part
	if next, month := begin.AddDate(0, 1, 0), monthOf(last); next.Equal(end) {
		if whole.days() <= before.days()+after.days() {
			return []part{whole.part(false)}
		}
	} else {
		if head := (span{first, next}); head.days() <= before.days() {
			list, begin, before = append(list, head.part(false)), next, span{}
		}
		if tail := (span{month, whole.end}); tail.days() <= after.days() {
			list, end, after = append(list, tail.part(false)), month, span{}
		}
	}
	if begin.Before(end) {
		list = append(list, part{from: begin.Format("2006-01"), to: end.AddDate(0, -1, 0).Format("2006-01"), months: true})
	}
	for _, outside := range []span{before, after} {
		if outside.days() > 0 {
			list = append(list, outside.part(true))
		}
	}
	return list
}

// span is some days, without its end.
type span struct{ begin, end time.Time }

func (s span) days() int { return int(s.end.Sub(s.begin).Hours() / 24) }

func (s span) part(minus bool) part {
	return part{from: s.begin.Format(time.DateOnly), to: s.end.AddDate(0, 0, -1).Format(time.DateOnly), minus: minus}
}

func monthOf(day time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// union reads the parts of a range. query has the grain or the kind as its first parameter, and the range as the next two. sign is -1 for what
// is taken away.
func (t Counts) union(grain, from, to, query string, each func(r db.Row, sign int64) error) error {
	for _, p := range parts(from, to) {
		name, sign := grain, int64(1)
		if p.months {
			name += byMonth
		}
		if p.minus {
			sign = -1
		}
		if err := t.Conn.Query(query, []any{name, p.from, p.to}, func(r db.Row) error { return each(r, sign) }); err != nil {
			return err
		}
	}
	return nil
}

// Sources lists how many leads of each source were received from one day to another, by outcome. Leads without a source are not among them.
func (t Counts) Sources(from, to string) ([]Row, error) { return t.named("source", from, to) }

// Campaigns is Sources for campaigns.
func (t Counts) Campaigns(from, to string) ([]Row, error) { return t.named("campaign", from, to) }

// named adds up the rows of each period, which are neighbors in the key, and those here: a database that adds up all periods would sort them.
func (t Counts) named(grain, from, to string) (list []Row, err error) {
	type place struct {
		name    string
		outcome buyer.Outcome
	}
	sums := make(map[place]int64)
	err = t.union(grain, from, to, `SELECT name, outcome, CAST(SUM(leads) AS BIGINT) FROM source_counts WHERE grain = $1 AND period >= $2 AND period <= $3
		GROUP BY period, name, outcome`, func(r db.Row, sign int64) error {
		sums[place{r.Text(0), buyer.Outcome(r.Text(1))}] += sign * r.Int(2)
		return nil
	})
	for at, n := range sums {
		if n != 0 {
			list = append(list, Row{at.name, at.outcome, n})
		}
	}
	return list, err
}

// Paid counts how many leads of each source are paid for that were received from one day to another.
func (t Counts) Paid(from, to string) (map[string]int64, error) {
	paid := make(map[string]int64)
	err := t.union("paid", from, to, `SELECT name, CAST(SUM(leads) AS BIGINT) FROM source_counts WHERE grain = $1 AND period >= $2 AND period <= $3 GROUP BY name`, func(r db.Row, sign int64) error {
		paid[r.Text(0)] += sign * r.Int(1)
		return nil
	})
	return paid, err
}

// Money is what leads cost, and what they brought in.
type Money struct {
	Period        string // a day; "" for sources
	Source        string // "" for all leads
	Service       lead.Service
	Cost, Revenue buyer.Cents
}

// Money lists what leads cost and brought in that were received from one day to another, by day and service.
func (t Counts) Money(from, to string) (list []Money, err error) {
	err = t.Conn.Query(`SELECT kind, period, service_type, cents FROM money_counts WHERE kind IN (`+db.Quoted(costKind, revenueKind)+`) AND period >= $1 AND period <= $2 AND cents <> 0`, []any{from, to}, func(r db.Row) error {
		list = append(list, Money{Period: r.Text(1), Service: lead.Service(r.Text(2))}.with(r.Text(0), r.Int(3)))
		return nil
	})
	return list, err
}

// TotalMoney is Money of all days and services together.
func (t Counts) TotalMoney(from, to string) (list []Money, err error) {
	err = t.Conn.Query(`SELECT kind, CAST(SUM(cents) AS BIGINT) FROM money_counts WHERE kind IN (`+db.Quoted(costKind, revenueKind)+`) AND period >= $1 AND period <= $2 GROUP BY kind`, []any{from, to}, func(r db.Row) error {
		list = append(list, Money{}.with(r.Text(0), r.Int(1)))
		return nil
	})
	return list, err
}

// SourceMoney is Money by source, in parts that add up. Leads without a source are not among them.
func (t Counts) SourceMoney(from, to string) (list []Money, err error) {
	for _, kind := range []string{costKind, revenueKind} {
		if err := t.union(ofSource+kind, from, to, `SELECT source, CAST(SUM(cents) AS BIGINT) FROM money_counts WHERE kind = $1 AND period >= $2 AND period <= $3 GROUP BY period, source`, func(r db.Row, sign int64) error {
			list = append(list, Money{Source: r.Text(0)}.with(kind, sign*r.Int(1)))
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (m Money) with(kind string, cents int64) Money {
	if kind == costKind {
		m.Cost = buyer.Cents(cents)
	} else {
		m.Revenue = buyer.Cents(cents)
	}
	return m
}
