package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/source"
	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/leadcounts"
)

// The sources of the leads that are counted, and what their leads cost: the first until it got more expensive, and with caps.
var (
	dearer      = time.Date(2026, 10, 31, 17, 0, 0, 0, time.UTC)
	countedFrom = []string{"", "src_a", "src_b", "src_c"}
	countPrices = map[string][]source.Price{
		"src_a": {{Since: Noon.AddDate(-1, 0, 0), Cost: 5_00}, {Since: dearer, Cost: 7_00}},
		"src_b": {{Since: Noon.AddDate(-1, 0, 0), Cost: 3_00, CapDay: 2}},
		"src_c": {{Since: Noon.AddDate(-1, 0, 0), Cost: 1_00, CapMonth: 3}},
	}
)

func (w *countWorld) addSources() {
	for key, prices := range countPrices {
		for _, p := range prices {
			s := source.Source{Key: key, State: source.Active, CreatedAt: p.Since, UpdatedAt: p.Since, Terms: source.Terms{Name: key, Cost: p.Cost, CapDay: p.CapDay, CapMonth: p.CapMonth}}
			update(w.t, w.store, func(tx *store.Tx) error { return tx.Sources().Put(s) })
		}
	}
}

// compareCaps wants every lead that is paid for to be one that could be sold, and not more of them than the caps allow.
func (w *countWorld) compareCaps(location *time.Location) {
	w.t.Helper()
	var found store.FoundLeads
	if err := w.store.View(w.t.Context(), func(tx *store.Tx) (err error) {
		found, err = tx.FindLeads(store.LeadFilter{}, nil, store.LeadPage{Limit: 1000})
		return err
	}); err != nil {
		w.t.Fatal(err)
	}
	costs := make(map[string]buyer.Cents)
	for _, l := range found.Leads {
		costs[l.ID] = l.Cost
	}
	paid := make(map[string]int)
	for _, l := range w.leads {
		if costs[l.ID] > 0 {
			paid[l.Source+l.CreatedAt.In(location).Format(" 2006-01-02")]++
			paid[l.Source+l.CreatedAt.In(location).Format(" 2006-01")]++
		}
		cost, price := costs[l.ID], source.CostAt(countPrices[l.Source], l.CreatedAt, 0, 0)
		payable := source.Costs(l.standing.Outcome())
		switch {
		case cost != 0 && (cost != price || !payable), l.Source == "src_a" && payable && cost != price:
			w.t.Errorf("%s from %q is %s and costs %v, want %v if it is paid for", l.ID, l.Source, l.standing.Outcome(), cost, price)
		}
	}
	for period, n := range paid {
		if strings.HasPrefix(period, "src_b 2026-") && len(period) > len("src_b 2026-11") && n > 2 || strings.HasPrefix(period, "src_c") && n > 3 {
			w.t.Errorf("%s: %d leads are paid for", period, n)
		}
	}
}

// countRanges are days to report about: whole months, a month and days, and days alone.
var countRanges = [][2]string{{"2026-10-01", "2026-11-30"}, {"2026-09-15", "2026-11-02"}, {"2026-10-31", "2026-11-01"}}

// money adds what the leads of a range cost and brought in: what they cost, of some sources alone.
func (w *countWorld) money(want map[string]int64, days [2]string, location *time.Location, costsOf []string) {
	paid := make(map[string]int64)
	add := func(n int64, key ...any) { want[fmt.Sprint(days, key)] += n }
	for _, l := range w.leads {
		at := l.CreatedAt.In(location)
		today := at.Format(time.DateOnly)
		day, month := l.Source+today, l.Source+at.Format("2006-01")
		cost := source.CostAt(countPrices[l.Source], l.CreatedAt, paid[day], paid[month])
		costs := source.Costs(l.standing.Outcome()) && cost > 0
		if costs {
			paid[day]++
			paid[month]++
		}
		if today < days[0] || today > days[1] {
			continue
		}
		if costs && slices.Contains(costsOf, l.Source) {
			add(int64(cost), "cost", l.Source)
			add(int64(cost), "source_cost by service", l.Source, l.Request.Service)
			add(1, "paid", l.Source)
		}
		if l.revenue > 0 {
			add(int64(l.revenue), "all revenue", today, l.Request.Service)
		}
		if l.Source != "" {
			add(1, "source", l.Source, l.standing.Outcome())
			add(1, "source by service", l.Source, l.Request.Service, l.standing.Outcome())
			if l.revenue > 0 {
				add(int64(l.revenue), "revenue", l.Source)
				add(int64(l.revenue), "source_revenue by service", l.Source, l.Request.Service)
			}
		}
		if name := source.Campaign(l.Evidence.Campaign); name != "" {
			add(1, "campaign", name, l.standing.Outcome())
			add(1, "campaign by service", name, l.Request.Service, l.standing.Outcome())
		}
	}
}

// readMoney reads what the store counted of sources, campaigns and money in a range.
func readMoney(counts leadcounts.Counts, got map[string]int64, days [2]string, costsOf []string) error {
	add := func(n int64, key ...any) {
		if n != 0 {
			got[fmt.Sprint(days, key)] += n
		}
	}
	paid, err := counts.Paid(days[0], days[1])
	sources, errSources := counts.Sources(days[0], days[1])
	campaigns, errCampaigns := counts.Campaigns(days[0], days[1])
	money, errMoney := counts.SourceMoney(days[0], days[1])
	all, errAll := counts.Money(days[0], days[1])
	for key, n := range paid {
		if slices.Contains(costsOf, key) {
			add(n, "paid", key)
		}
	}
	for _, r := range sources {
		add(r.Leads, "source", r.Name, r.Outcome)
	}
	for _, r := range campaigns {
		add(r.Leads, "campaign", r.Name, r.Outcome)
	}
	for _, m := range money {
		if slices.Contains(costsOf, m.Source) {
			add(int64(m.Cost), "cost", m.Source)
		}
		add(int64(m.Revenue), "revenue", m.Source)
	}
	errServices := readServices(counts, days, costsOf, add)
	ofAll, ofSources := buyer.Cents(0), buyer.Cents(0)
	for _, m := range all {
		add(int64(m.Revenue), "all revenue", m.Period, m.Service)
		ofAll += m.Cost
	}
	for _, m := range money {
		ofSources += m.Cost
	}
	if ofAll != ofSources {
		return fmt.Errorf("all leads of %v cost %v, and those of sources %v", days, ofAll, ofSources)
	}
	return errors.Join(err, errSources, errCampaigns, errMoney, errAll, errServices)
}

// readServices reads what was counted of each service, day by day. No report shows it.
func readServices(counts leadcounts.Counts, days [2]string, costsOf []string, add func(n int64, key ...any)) error {
	err := counts.Conn.Query(`SELECT grain, name, service_type, outcome, leads FROM source_counts WHERE grain IN ('source', 'campaign') AND period >= $1 AND period <= $2`, []any{days[0], days[1]}, func(r db.Row) error {
		add(r.Int(4), r.Text(0)+" by service", r.Text(1), lead.Service(r.Text(2)), buyer.Outcome(r.Text(3)))
		return nil
	})
	return errors.Join(err, counts.Conn.Query(`SELECT kind, source, service_type, cents FROM money_counts WHERE kind IN ('source_cost', 'source_revenue') AND period >= $1 AND period <= $2`, []any{days[0], days[1]}, func(r db.Row) error {
		if r.Text(0) == "source_revenue" || slices.Contains(costsOf, r.Text(1)) {
			add(r.Int(3), r.Text(0)+" by service", r.Text(1), lead.Service(r.Text(2)))
		}
		return nil
	}))
}

// readPlaces reads what is known of places, for each service and for all of them.
func readPlaces(counts leadcounts.Counts, got map[string]int64) error {
	for _, service := range append([]lead.Service{""}, searchServices...) {
		for _, grain := range []string{"state", "zip"} {
			q := leadcounts.PlaceQuery{Grain: grain, From: "2026-10", To: "2026-11"}
			if service != "" {
				q.Services = []lead.Service{service}
			}
			places, err := counts.Places(q)
			if err != nil {
				return err
			}
			ranks, err := counts.RankPlaces(q)
			if err != nil {
				return err
			}
			for _, p := range places {
				for outcome, n := range p.Leads {
					got[fmt.Sprint(grain, " ", p.Key, " ", service, " ", outcome)] += n
				}
				if p.Revenue != 0 {
					got[fmt.Sprint(grain, " ", p.Key, " ", service, " revenue")] += int64(p.Revenue)
				}
			}
			for _, r := range ranks {
				got[fmt.Sprint(grain, " ", r.Place, " ", service, " rank")] = r.Demand + 1_000*r.Uncovered + 1_000_000*int64(r.Revenue)
			}
		}
	}
	return nil
}
