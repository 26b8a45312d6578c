package leadcounts

import (
	"context"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/lead"
	"foyer/internal/source"
	"foyer/internal/store/db"
	"foyer/internal/store/follow"
	"foyer/internal/store/rows"
	"foyer/internal/store/sources"
)

// The kinds of money_counts.
const (
	costKind    = "cost"    // what sources ask for leads
	revenueKind = "revenue" // what buyers were charged for leads, less what they got back
)

// moneyKey is a row of money_counts. Money counts on the day on which the lead was received.
type moneyKey struct{ kind, source, period, service string }

func upsertMoney(c db.Conn, by map[moneyKey]int) error {
	return upsert(c, "money_counts", []string{"kind", "source", "period", "service_type"}, "cents", by, func(k moneyKey) []any { return []any{k.kind, k.source, k.period, k.service} })
}

// countRevenue counts entries of the ledger. Payments and corrections belong to no lead.
func (x *Counter) countRevenue(c db.Conn, some []db.Row) error {
	by := make(map[moneyKey]int)
	for _, r := range some {
		if r.Int(3) > 0 {
			by[moneyKey{revenueKind, r.Text(2), rows.Time(r.Int(3)).In(x.zone).Format(time.DateOnly), r.Text(4)}] += int(r.Int(1))
		}
	}
	return upsertMoney(c, by)
}

// costs finds out what leads cost, in the order in which they are counted. It remembers what it read: a run counts many leads of a
// source.
type costs struct {
	prices map[string][]source.Price
	paid   map[sourcePeriod]int64 // how many leads of a source are paid for in a period
}

// sourcePeriod is a source in a day or a month.
type sourcePeriod struct{ source, period string }

func newCosts() costs {
	return costs{make(map[string][]source.Price), make(map[sourcePeriod]int64)}
}

// settle returns what a lead costs. A lead takes a place under the caps of its source when it becomes one that is paid for, and leaves it
// when it no longer is; others keep theirs.
func (x costs) settle(ctx context.Context, job follow.Job, f facts) (int64, error) {
	takes, leaves := f.is.payable() && !f.was.payable(), f.was.cost > 0 && !f.is.payable()
	if f.source == "" || !takes && !leaves {
		return f.was.cost, nil
	}
	day, month := sourcePeriod{f.source, f.period}, sourcePeriod{f.source, f.month}
	if err := x.load(ctx, job, f, day, month); err != nil {
		return 0, err
	}
	if leaves {
		x.paid[day]--
		x.paid[month]--
		return 0, nil
	}
	cost := int64(source.CostAt(x.prices[f.source], f.received, x.paid[day], x.paid[month]))
	if cost > 0 {
		x.paid[day]++
		x.paid[month]++
	}
	return cost, nil
}

// load reads the prices of a source, and how many of its leads are paid for, unless it did before.
func (x costs) load(ctx context.Context, job follow.Job, f facts, day, month sourcePeriod) error {
	if _, known := x.prices[f.source]; !known {
		read, err := job.Read(ctx, sources.PricesQuery, f.source)
		if err != nil {
			return err
		}
		prices := make([]source.Price, len(read))
		for i, r := range read {
			prices[i] = sources.ScanPrice(r)
		}
		x.prices[f.source] = prices
	}
	for key, last := range map[sourcePeriod]string{day: f.period, month: f.month + "-31"} {
		if _, known := x.paid[key]; known {
			continue
		}
		read, err := job.Read(ctx, `SELECT CAST(COALESCE(SUM(leads), 0) AS BIGINT) FROM lead_counts WHERE grain = 'paid' AND outcome = '' AND place = $1 AND period >= $2 AND period <= $3`,
			f.source, key.period, last)
		if err != nil {
			return err
		}
		x.paid[key] = read[0].Int(0)
	}
	return nil
}

// campaignOf reads the campaign from the evidence of a lead. It is empty if there is none, or if the lead is damaged.
func campaignOf(evidence string) string {
	var e lead.Evidence
	if evidence == "" || json.Unmarshal([]byte(evidence), &e) != nil {
		return ""
	}
	return source.Campaign(e.Campaign)
}
