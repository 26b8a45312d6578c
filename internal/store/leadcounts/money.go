package leadcounts

import (
	"context"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/lead"
	"foyer/internal/source"
	"foyer/internal/store/db"
	"foyer/internal/store/follow"
	"foyer/internal/store/sources"
)

// The kinds of money_counts: of all leads, by day. ofSource begins the kinds that are by source, and byMonth ends those that are by month.
const (
	costKind    = "cost"    // what sources are paid for leads
	revenueKind = "revenue" // what buyers were charged for leads, less what they got back
	ofSource    = "source_"
	byMonth     = "_month"
)

// moneyKey is a row of money_counts, and sourceKey one of source_counts. Both count when the lead was received.
type (
	moneyKey  struct{ kind, period, source, service string }
	sourceKey struct{ grain, period, name, outcome, service string }
)

func addMoney(money map[moneyKey]int, kind string, f facts, cents int) {
	money[moneyKey{kind, f.period, "", f.service}] += cents
	if f.source != "" {
		money[moneyKey{ofSource + kind, f.period, f.source, f.service}] += cents
		money[moneyKey{ofSource + kind + byMonth, f.month, f.source, f.service}] += cents
	}
}

// countSource counts a lead of a source or a campaign, unless there is none.
func (d *deltas) countSource(f facts, grain, name, outcome, service string, by int) {
	if name != "" {
		d.sources[sourceKey{grain, f.period, name, outcome, service}] += by
		d.sources[sourceKey{grain + byMonth, f.month, name, outcome, service}] += by
	}
}

// writeSources writes the changes of source_counts. Rows of campaigns that have no lead anymore are deleted: an erased person takes the
// name along.
func (d *deltas) writeSources(c db.Conn) error {
	values := func(k sourceKey) []any { return []any{k.grain, k.period, k.name, k.outcome, k.service} }
	if err := upsert(c, "source_counts", []string{"grain", "period", "name", "outcome", "service_type"}, "leads", d.sources, values); err != nil {
		return err
	}
	for k, by := range d.sources {
		if !strings.HasPrefix(k.grain, "campaign") || by >= 0 {
			continue
		}
		if err := c.Exec(`DELETE FROM source_counts WHERE grain = $1 AND period = $2 AND name = $3 AND outcome = $4 AND service_type = $5 AND leads = 0`, values(k)); err != nil {
			return err
		}
	}
	return nil
}

// countRevenue counts entries of the ledger.
func (x *Counter) countRevenue(c db.Conn, some []db.Row) error {
	d := newDeltas("")
	for _, r := range some {
		d.addRevenue(r, x.zone)
	}
	return d.write(c)
}

// addRevenue counts a row of ledgerQuery. Payments and corrections belong to no lead.
func (d *deltas) addRevenue(r db.Row, zone *time.Location) {
	if r.Int(3) == 0 {
		return
	}
	f, cents := newFacts(r.Int(3), zone, r.Text(4), r.Text(5), r.Text(2)), int(r.Int(1))
	addMoney(d.money, revenueKind, f, cents)
	d.places.add(f, "cents", cents)
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
	for key, grain := range map[sourcePeriod]string{day: "paid", month: "paid" + byMonth} {
		if _, known := x.paid[key]; known {
			continue
		}
		read, err := job.Read(ctx, `SELECT leads FROM source_counts WHERE grain = $1 AND period = $2 AND name = $3`, grain, key.period, f.source)
		if err != nil {
			return err
		}
		if x.paid[key] = 0; len(read) > 0 {
			x.paid[key] = read[0].Int(0)
		}
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
