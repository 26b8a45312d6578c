package query_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// TestHoursAndAnswers counts the leads of a day by the hours of the service's time zone, the offers of all buyers, and how long one took to
// answer.
func TestHoursAndAnswers(t *testing.T) {
	o := newTestStore(t)
	b := o.addBuyer("buyer_1", "Cool Air")
	day := time.Date(2026, 11, 5, 5, 0, 0, 0, time.UTC) // midnight in New York
	for i, at := range []time.Duration{-time.Minute, 0, 59 * time.Minute, 23*time.Hour + 59*time.Minute, 24 * time.Hour} {
		o.save("lead_"+string(rune('a'+i)), func(l *lead.Lead) { l.Status, l.CreatedAt = lead.Collected, day.Add(at) })
	}
	for i, took := range []time.Duration{100, 100, 100, 2000, 0} {
		id := "offer_" + string(rune('a'+i))
		o.addOffer(buyer.Offer{ID: id, Lead: 2, Buyer: b.ID, At: day.Add(time.Hour), State: buyer.OfferDeclined})
		a := buyer.Attempt{Lead: 2, Offer: id, Kind: forward.LeadOffered, At: day.Add(time.Hour), Took: took * time.Millisecond, Status: 200, Decision: "reject"}
		if took == 0 {
			a.Status, a.Failure, a.Decision = 0, "timeout", ""
		}
		o.update(func(tx *store.Tx) error { return tx.AddAttempt(a) })
	}
	storetest.CountLeads(t, o.store, "America/New_York")
	hours := map[string]int64{}
	var answers []query.AnswersRow
	var all buyer.Counts
	if err := o.store.View(t.Context(), func(tx *store.Tx) error {
		r, err := query.NewReportRange(tx, "2026-11-05", "2026-11-05", o.now)
		if err != nil {
			return err
		}
		list, err := query.HoursReport(tx, "2026-11-05")
		for _, h := range list {
			if h.Received > 0 {
				hours[h.Key] = h.Outcomes[buyer.OutcomeUncovered]
			}
		}
		if err != nil || len(list) != 24 {
			t.Fatalf("%d hours, %v", len(list), err)
		}
		if all, err = query.OffersReport(tx, r); err != nil {
			return err
		}
		answers, err = query.AnswersReport(tx, r, b.ID)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if all.Offered != 5 || all.Accepted != 0 {
		t.Errorf("offers: %+v", all)
	}
	if diff := cmp.Diff(map[string]int64{"00": 2, "23": 1}, hours); diff != "" {
		t.Errorf("hours (-want +got):\n%s", diff)
	}
	want := []query.AnswersRow{{Key: "2026-11-05", Answered: query.Waits{Leads: 4, P50: 108 * time.Millisecond, P95: 2048 * time.Millisecond}}} // buckets are 9 % wide
	if diff := cmp.Diff(want, answers); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}
