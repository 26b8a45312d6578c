package storetest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

func (c Contract) countsOfLeads(t *testing.T) {
	t.Run("random histories are counted as they are, though the job fails in between", c.countRandomly)
	t.Run("a transaction that runs again counts once", c.countInTxThatRunsAgain)
	t.Run("everything is counted again in another time zone", c.countAgain)
	t.Run("what an older version counts is counted again", c.countAfterOlder)
	t.Run("each of many answers counts once", c.countManyAnswers)
	t.Run("a lead that is held when it comes may wait for a paused buyer", c.countPaused)
}

// CountLeads brings the counts of leads up to date.
func CountLeads(t *testing.T, s *store.Store, zone string) {
	t.Helper()
	location, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	catchUp(t, s, s.NewCounter(location))
}

func (c Contract) countAgain(t *testing.T) {
	w := &countWorld{t: t, rng: rand.New(rand.NewPCG(1, 2)), store: c.store(t)}
	w.addSources()
	for range 50 {
		w.save()
	}
	CountLeads(t, w.store, "UTC")
	CountLeads(t, w.store, "America/New_York") // another process with another setting counts as the first did
	w.compare("UTC", "src_a", "src_b", "src_c")
	location, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	update(t, w.store, func(tx *store.Tx) error { return tx.LeadCounts().Rebuild(location) })
	CountLeads(t, w.store, "UTC")
	w.compare("America/New_York", "src_a", "src_b", "src_c")
}

// countAfterOlder has a process of another version count some leads, which knows neither hours nor places, between two runs.
func (c Contract) countAfterOlder(t *testing.T) {
	database := c.NewDatabase(t)
	w := &countWorld{t: t, rng: rand.New(rand.NewPCG(3, 2)), store: Open(t, database)}
	w.addSources()
	for range 30 {
		w.save()
	}
	CountLeads(t, w.store, "UTC")
	for range 10 {
		w.save()
	}
	MustExec(t, database, `INSERT INTO lead_outcomes (lead_seq, outcome, offer_wait, sale_wait) SELECT seq, 'waiting', 0, 0 FROM leads WHERE seq > 30;
		UPDATE follow_progress SET seq = (SELECT MAX(seq) FROM leads) WHERE name = 'counts leads'`)
	CountLeads(t, w.store, "UTC")
	w.compare("UTC", "src_a", "src_b", "src_c")
}

// countManyAnswers has more answers than a follower reads and writes at a time.
func (c Contract) countManyAnswers(t *testing.T) {
	database := c.NewDatabase(t)
	s := Open(t, database)
	offerTo(t, s, buyer.Offer{ID: "offer_1", Lead: 1, At: Noon}, buyer.OfferDeclined)
	add := func(answer string, n int) {
		MustExec(t, database, fmt.Sprintf(`INSERT INTO attempts (lead_seq, offer_id, kind, at, took, status, failure, answer, decision)
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			SELECT 1, 'offer_1', 'lead.offered', %d, 1, 200, '', '', '%s' FROM n`, n, Noon.UnixMicro(), answer))
		CountLeads(t, s, "UTC")
	}
	add("accept", 2_500)
	add("reject cap", 77)
	add("accept", 1)
	var got map[string]map[string]int64
	var waits []store.LeadWait
	if err := s.View(t.Context(), func(tx *store.Tx) (err error) {
		if got, err = tx.LeadCounts().Answers("2026-11-05", "2026-11-05"); err == nil {
			err = tx.LeadCounts().AnswerWaits("buyer_1", "2026-11-05", "2026-11-05", func(w store.LeadWait) { waits = append(waits, w) })
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]map[string]int64{"buyer_1": {"accept": 2_501, "reject cap": 77}}, got); diff != "" {
		t.Errorf("answers differ (-want +got):\n%s", diff)
	}
	if len(waits) != 1 || waits[0].Leads != 2_578 || store.LongestWait(waits[0].Bucket) != time.Millisecond {
		t.Errorf("how long they took: %+v", waits)
	}
}

func (c Contract) countPaused(t *testing.T) {
	s := c.store(t)
	counter := s.NewCounter(time.UTC)
	paused := true
	counter.Paused = func(service lead.Service, zip string) bool {
		return paused && service == lead.HouseCleaning && zip == "33139"
	}
	count := func(want map[buyer.Outcome]int64) {
		t.Helper()
		catchUp(t, s, counter)
		got := make(map[buyer.Outcome]int64)
		if err := s.View(t.Context(), func(tx *store.Tx) error {
			days, err := tx.LeadCounts().Days("2026-11-05", "2026-11-05")
			for _, d := range days {
				for outcome, n := range d.Leads {
					got[outcome] += n
				}
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	Save(t, s, Lead("lead_1"))
	count(map[buyer.Outcome]int64{buyer.OutcomePaused: 1})
	paused = false
	Save(t, s, Lead("lead_2"))
	count(map[buyer.Outcome]int64{buyer.OutcomePaused: 1, buyer.OutcomeUncovered: 1})
	update(t, s, func(tx *store.Tx) error { return tx.LeadCounts().Rebuild(time.UTC) })
	count(map[buyer.Outcome]int64{buyer.OutcomeUncovered: 2}) // with the buyers of now
}
