package dbadmin_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/source"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// wrongCounts are ways in which the counts for reports can differ from what was counted: rows that are moved, added and missing.
var wrongCounts = []struct {
	statement string
	what      []string // is found, and nothing else
}{
	{`UPDATE place_counts SET period = '2026-11-06' WHERE grain = 'day' AND sold > 0`, []string{"leads by day, 2026-11-05", "leads by day, 2026-11-06"}},
	{`UPDATE place_counts SET period = '2026-11-05 08' WHERE grain = 'hour' AND sold > 0`, []string{"leads by hour, 2026-11-05"}},
	{`UPDATE place_counts SET service_type = 'hvac' WHERE grain = 'day' AND service_type <> '' AND sold > 0`, []string{"leads by day, 2026-11-05"}},
	{`UPDATE place_counts SET declined = sold, sold = declined WHERE grain = 'day' AND service_type = '' AND sold > 0`, []string{"leads by day, 2026-11-05"}},
	{`UPDATE place_counts SET place = 'FL' WHERE grain = 'day' AND sold > 0`, []string{"leads by day, 2026-11-05"}},
	{`DELETE FROM place_counts WHERE grain = 'hour' AND sold > 0`, []string{"leads by hour, 2026-11-05"}},
	{`UPDATE place_counts SET place = '02109' WHERE grain = 'zip' AND place = '02108'`, []string{"leads by zip, 2026-10", "leads by zip, 2026-11"}},
	{`UPDATE place_counts SET place = 'GA' WHERE grain = 'state' AND place = 'MA' AND period = '2026-11' AND service_type <> ''`, []string{"leads by state, 2026-11"}},
	{`UPDATE place_counts SET period = '2026-09' WHERE grain = 'zip' AND period = '2026-10' AND service_type = ''`, []string{"leads by zip, 2026-09", "leads by zip, 2026-10"}},
	{`UPDATE place_counts SET sold = sold - 1, waiting = waiting + 1 WHERE grain = 'state' AND period = '2026-11' AND service_type = ''`, []string{"leads by state, 2026-11"}},
	{`UPDATE place_counts SET demand = demand + 1 WHERE grain = 'state' AND period = '2026-10' AND service_type = ''`, []string{"leads by state, 2026-10"}},
	{`UPDATE place_counts SET cents = cents + 1 WHERE grain = 'zip' AND period = '2026-11' AND service_type <> '' AND sold > 0`, []string{"leads by zip, 2026-11"}},
	{`UPDATE day_counts SET period = '2026-11-04' WHERE kind = 'sale wait'`, []string{"sale wait, 2026-11-04", "sale wait, 2026-11-05"}},
	{`UPDATE day_counts SET counts = '1' || counts WHERE kind = 'offer wait'`, []string{"offer wait, 2026-11-05"}},
	{`UPDATE day_counts SET name = 'buyer_2' WHERE kind = 'answer wait'`, []string{"answer wait buyer_1, 2026-11-05", "answer wait buyer_2, 2026-11-05"}},
	{`UPDATE day_counts SET period = '2026-11-04' WHERE kind = 'answers'`, []string{"answers buyer_1, 2026-11-04", "answers buyer_1, 2026-11-05"}},
	{`UPDATE day_counts SET counts = 'reject cap' || substr(counts, 7) WHERE kind = 'answers'`, []string{"answers buyer_1, 2026-11-05"}},
	{`UPDATE day_counts SET counts = counts || '0' WHERE kind = 'answers'`, []string{"answers buyer_1, 2026-11-05"}},
	{`UPDATE day_counts SET counts = 'accept' WHERE kind = 'answers'`, []string{"answers buyer_1, 2026-11-05"}},
	{`UPDATE day_counts SET name = 'buyer_2' WHERE kind = 'returns'`, []string{"returns buyer_1, 2026-11-05", "returns buyer_2, 2026-11-05"}},
	{`UPDATE recent_leads SET area = '332' WHERE period = '2026-11-05'`, []string{"leads of the last days, 2026-11-05"}},
	{`UPDATE recent_leads SET counts = 'hvac:39x' WHERE period = '2026-11-05'`, []string{"leads of the last days, 2026-11-05"}},
	{`UPDATE source_counts SET period = '2026-11-01' WHERE grain = 'source'`, []string{"leads by source, 2026-10-31", "leads by source, 2026-11-01", "leads by source, 2026-11-05"}},
	{`UPDATE source_counts SET name = 'Pat Example' WHERE grain = 'campaign_month'`, []string{"leads by campaign_month, 2026-10"}},
	{`UPDATE source_counts SET leads = leads + 1 WHERE grain = 'paid_month'`, []string{"leads by paid_month, 2026-10"}},
	{`UPDATE money_counts SET period = '2026-11-01' WHERE kind = 'cost'`, []string{"money: cost, 2026-10-31", "money: cost, 2026-11-01"}},
	{`UPDATE money_counts SET source = 'src_1' WHERE kind = 'source_cost_month'`, []string{"money: source_cost_month, 2026-10"}},
	{`UPDATE money_counts SET period = '2026-11-04' WHERE kind = 'revenue'`, []string{"money: revenue, 2026-11-04", "money: revenue, 2026-11-05"}},
	{`INSERT INTO money_counts VALUES ('source_revenue_month', '2026-11', 'src_1', 'hvac', 500)`, []string{"money: source_revenue_month, 2026-11"}},
}

// TestCheckFindsWrongCounts counts in New York, damages the counts, and wants the periods named. All is well again after a rebuild.
func TestCheckFindsWrongCounts(t *testing.T) {
	storetest.Long(t)
	t.Parallel()
	storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		database := newDatabase(t)
		seed(t, database, 2)
		stored := storetest.Open(t, database)
		october := time.Date(2026, 11, 1, 3, 59, 0, 0, time.UTC) // in New York
		if err := stored.Update(t.Context(), func(tx *store.Tx) error {
			return tx.Sources().Put(source.Source{Key: "src_2", Terms: source.Terms{Name: "Leaflet", Cost: 5_00}, State: source.Active, CreatedAt: october, UpdatedAt: october})
		}); err != nil {
			t.Fatal(err)
		}
		l := consentedLead("lead_october", lead.Collected)
		l.CreatedAt, l.Source, l.Evidence.Campaign = october, "src_2", lead.Campaign{Source: "letter", Name: "autumn"}
		storetest.Save(t, stored, l)
		newYork, err := time.LoadLocation("America/New_York")
		if err != nil {
			t.Fatal(err)
		}
		count := func() {
			t.Helper()
			if err := stored.Update(t.Context(), func(tx *store.Tx) error { return tx.LeadCounts().Rebuild(newYork) }); err != nil {
				t.Fatal(err)
			}
			storetest.CountLeads(t, stored, "UTC")
		}
		count()
		wantNoFindings(t, database)
		for _, c := range wrongCounts {
			t.Run(c.statement, func(t *testing.T) {
				storetest.MustExec(t, database, c.statement)
				list := findings(t, database)
				var what []string
				for _, f := range list {
					text, _ := strings.CutSuffix(strings.TrimPrefix(f.What, "counts of "), ": they are not what was counted")
					if what = append(what, text); f.Remedy != "foyer report rebuild" {
						t.Errorf("remedy: %s", f.Remedy)
					}
				}
				if fmt.Sprint(what) != fmt.Sprint(c.what) {
					t.Errorf("found %q, want %q", what, c.what)
				}
				count()
			})
		}
		wantNoFindings(t, database)
	})
}
