package store_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/dbadmin"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/storetest"
	"foyer/test/postgres"
)

// onBothEngines runs a test on SQLite and on PostgreSQL.
func onBothEngines(t *testing.T, test func(t *testing.T, database string)) {
	t.Run("sqlite", func(t *testing.T) { test(t, storetest.Database(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, postgres.Shared(t).Database(t)) })
}

// The outcomes of offers are counted separately, in a period and in total.
func TestCountsByPeriod(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, database string) {
		s := storetest.Open(t, database)
		hour := storetest.Noon.Unix() / 3600
		for i, counts := range []string{"3, 9, 4, 3, 1", "1, 1, 1, 0, 0"} {
			if err := s.Exec(t.Context(), fmt.Sprintf("INSERT INTO offer_counts (buyer_id, hour, used, offered, accepted, delivered, returned) VALUES ('buyer_1', %d, %s)", hour-int64(i), counts)); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			id     string
			period buyer.Period
			want   buyer.Counts
		}{
			{"buyer_1", buyer.Period{Begin: storetest.Noon, End: storetest.Noon.Add(time.Hour)}, buyer.Counts{Used: buyer.Usage{Leads: 3}, Offered: 9, Accepted: 4, Delivered: 3, Returned: 1}},
			{"buyer_1", buyer.Period{}, buyer.Counts{Used: buyer.Usage{Leads: 4}, Offered: 10, Accepted: 5, Delivered: 3, Returned: 1}},
			{"buyer_2", buyer.Period{}, buyer.Counts{}},
		} {
			if err := s.Update(t.Context(), func(tx *store.Tx) error {
				got, err := tx.Counts(c.id, c.period)
				if got != c.want {
					t.Errorf("%s from %v: %+v, want %+v", c.id, c.period.Begin, got, c.want)
				}
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// The buyers that were passed over are read with the offer, and with the row of the history. An unreadable list does not keep the
// lead from being shown.
func TestPassedOver(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, database string) {
		s, r := storetest.Open(t, database), storetest.OpenReader(t, database)
		storetest.Save(t, s, storetest.Lead("lead_1"))
		if err := s.Update(t.Context(), func(tx *store.Tx) error {
			seq, err := tx.LeadOf("lead_1")
			if err != nil {
				return err
			}
			for i, to := range []lead.Status{lead.Received, lead.Collected} {
				from := []lead.Status{lead.Collected, lead.Received}[i]
				if err := tx.Change(seq, from, lead.Change{At: storetest.Noon, Status: to, Actor: lead.ByService, Reason: "a test"}); err != nil {
					return err
				}
			}
			for _, id := range []string{"offer_1", "offer_2"} {
				if err := tx.AddOffer(buyer.Offer{ID: id, Lead: seq, Buyer: "buyer_1", At: storetest.Noon, State: buyer.OfferOpen}); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		want := []buyer.PassedOver{{Buyer: "buyer_2", Name: "Cool Air", Rule: "hours", Reason: "it is closed"}}
		for _, change := range []string{
			`UPDATE offers SET passed_over = '[{"buyer":"buyer_2","name":"Cool Air","rule":"hours","reason":"it is closed"}]' WHERE id = 'offer_1'`,
			`UPDATE offers SET passed_over = 'nonsense' WHERE id = 'offer_2'`,
			`UPDATE history SET passed_over = '[{"buyer":"buyer_2","name":"Cool Air","rule":"hours","reason":"it is closed"}]' WHERE status = 'collected'`,
		} {
			if err := s.Exec(t.Context(), change); err != nil {
				t.Fatal(err)
			}
		}
		offered, err := r.Offered(t.Context(), "lead_1")
		if err != nil || len(offered) != 2 || !cmp.Equal(offered[0].PassedOver, want) || offered[1].PassedOver != nil {
			t.Errorf("with the offers: %+v, %v", offered, err)
		}
		if lines, err := r.PassedOver(t.Context(), "lead_1"); err != nil || !cmp.Equal(lines, [][]buyer.PassedOver{nil, want}) {
			t.Errorf("with the history: %+v, %v", lines, err)
		}
	})
}

// HeldAfter returns every held lead once, over several queries, and none that is withheld from the market.
func TestHeldAfter(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, database string) {
		s := storetest.Open(t, database)
		const held = 2100
		for i := range held + 1 {
			l := storetest.Lead(fmt.Sprint("lead_", i))
			if l.CreatedAt = storetest.Noon.Add(time.Duration(i) * time.Second); i == held {
				l.Status = lead.CallToConnect
			}
			storetest.Save(t, s, l)
		}
		if err := s.Exec(t.Context(), `INSERT INTO withheld (lead_seq, reason, fingerprint, at) VALUES (7, 'duplicate', 'x', 1)`); err != nil {
			t.Fatal(err)
		}
		seen, last := 0, int64(0)
		for more := true; more; {
			page, err := s.HeldAfter(t.Context(), last, 2000)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range page {
				if seen++; h.Lead <= last || h.Lead == 7 || h.Service != lead.HouseCleaning || !h.At.Equal(storetest.Noon.Add(time.Duration(h.Lead-1)*time.Second)) {
					t.Errorf("after lead %d: %+v", last, h)
				}
				last = h.Lead
			}
			more = len(page) > 0
		}
		if seen != held-1 {
			t.Errorf("seen were %d", seen)
		}
	})
}

// Numbers that are imported by the hundred thousand are stored once each, in seconds, and their held leads are closed.
func TestSuppressingMany(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, database string) {
		s := storetest.Open(t, database)
		for i := range 3 {
			l := storetest.Lead(fmt.Sprint("lead_", i))
			l.Request.Contact.Phone = fmt.Sprintf("+1305555%04d", i)
			storetest.Save(t, s, l)
		}
		if err := s.Update(t.Context(), func(tx *store.Tx) error {
			return tx.Suppressions().Add("+13055550001", "the first reason", storetest.Noon)
		}); err != nil {
			t.Fatal(err)
		}
		imports := operator.SuppressionImport{Reason: "imported", BadLine: func(int64) {}, Progress: func(int64, int64) {}}
		for i, c := range []struct {
			file string
			want operator.SuppressionsImported
		}{
			{"+13055550000\n+13055550001\n+13055550000\n+13055550009\n", operator.SuppressionsImported{Numbers: 4, Added: 2, Closed: 2}},
			{"+13055550000\n+13055550001\n+13055550000\n+13055550009\n", operator.SuppressionsImported{Numbers: 4}},
			{"", operator.SuppressionsImported{}},
		} {
			got, err := storetest.Operator(s, storetest.Noon.Add(time.Hour)).ImportSuppressions(t.Context(), audit.System, strings.NewReader(c.file), imports)
			if err != nil || got != c.want {
				t.Errorf("import %d: %+v, %v; want %+v", i+1, got, err, c.want)
			}
		}
		if !s.Suppressed("+13055550009") {
			t.Error("not known after the import")
		}
		list, err := storetest.OpenReader(t, database).Suppressions(t.Context())
		if err != nil || len(list) != 3 || list[2].Reason != "the first reason" || !list[2].CreatedAt.Equal(storetest.Noon) {
			t.Errorf("the list is %+v, %v", list, err)
		}
		for id, want := range map[string]lead.Status{"lead_0": lead.Rejected, "lead_1": lead.Rejected, "lead_2": lead.Collected} {
			if l, err := s.LeadSummary(t.Context(), id); err != nil || l.Status != want {
				t.Errorf("%s is %s, %v", id, l.Status, err)
			}
		}
	})
}

// Progress says how many leads of the total were checked, how much was copied, and how many migrations are applied.
func TestProgress(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	database := "sqlite:" + filepath.Join(folder, "foyer.db")
	var seen []db.Progress
	watch := func(p db.Progress) { seen = append(seen, p) }
	if _, err := dbadmin.Migrate(t.Context(), database, watch); err != nil || len(seen) != 1 || !strings.HasPrefix(seen[0].What, "applying migrations (") {
		t.Errorf("migrating: %+v, %v", seen, err)
	}
	s := storetest.Open(t, database)
	for i := range 600 {
		storetest.Save(t, s, storetest.Lead(fmt.Sprint("lead_", i)))
	}
	seen = nil
	if _, err := dbadmin.Check(t.Context(), database, watch, func(db.Finding) {}); err != nil {
		t.Fatal(err)
	}
	rows := false
	for _, p := range seen {
		rows = rows || p == db.Progress{What: "checking: leads", Done: 500, Of: 600, Unit: "leads"}
	}
	if !rows || seen[0].What != "checking: the engine's own check" {
		t.Errorf("checking: %+v", seen)
	}
	seen = nil
	if _, err := dbadmin.BackUp(t.Context(), database, filepath.Join(folder, "copy.db"), watch); err != nil || len(seen) == 0 || seen[len(seen)-1].What != "checking the copy" {
		t.Errorf("copying: %+v, %v", seen, err)
	}
	if done, err := dbadmin.Migrate(t.Context(), database, func(db.Progress) { t.Error("there is nothing to watch") }); err != nil || len(done) != 0 {
		t.Errorf("nothing to migrate: %v, %v", done, err)
	}
}
