package operator_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
	"foyer/internal/store"
)

// TestSummaryCounts offers leads at several times and reads the counts of each period, capped or not.
func TestSummaryCounts(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(func(in *entered.Terms) { in.CapDay, in.TimeZone = new(5), new("America/New_York") })
	for i, before := range []time.Duration{0, time.Minute, 2 * time.Hour, 30 * time.Hour, 24 * 40 * time.Hour} {
		o.update(func(tx *store.Tx) error {
			return tx.AddOffer(buyer.Offer{ID: fmt.Sprint("offer_", i), Lead: int64(i), Buyer: b.ID, At: o.now.Add(-before), State: buyer.OfferOpen})
		})
	}
	o.now = o.now.Add(time.Minute)
	s, err := o.Show(t.Context(), b.ID)
	want := []query.Use{ // noon in London is seven in New York
		{Period: "hour", Counts: buyer.Counts{Used: buyer.Usage{Leads: 1}}, Ends: time.Date(2026, time.November, 5, 13, 0, 0, 0, time.UTC)},
		{Period: "day", Counts: buyer.Counts{Used: buyer.Usage{Leads: 3}}, Cap: 5, Ends: time.Date(2026, time.November, 6, 5, 0, 0, 0, time.UTC)},
		{Period: "month", Counts: buyer.Counts{Used: buyer.Usage{Leads: 4}}, Ends: time.Date(2026, time.December, 1, 5, 0, 0, 0, time.UTC)},
		{Period: "total", Counts: buyer.Counts{Used: buyer.Usage{Leads: 5}}},
	}
	for i := range s.Use {
		s.Use[i].Offered = 0 // outcomes are tested elsewhere
	}
	if diff := cmp.Diff(want, s.Use); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if today := s.Today(); today.Used.Leads != 3 || today.Cap != 5 {
		t.Errorf("today it is %+v", today)
	}
}

func TestListOrder(t *testing.T) {
	o := newTestOperator(t)
	for i := range 120 { // more than one batch
		o.add(func(in *entered.Terms) { in.Name, in.Priority = new(fmt.Sprint("buyer ", i)), new((120-i)/50) })
	}
	summaries, err := o.List(t.Context())
	if err != nil || len(summaries) != 120 {
		t.Fatalf("got %d, %v", len(summaries), err)
	}
	seen := make(map[string]bool)
	for i, s := range summaries {
		if seen[s.ID] || len(s.Use) != 4 || i > 0 && summaries[i-1].Terms.Priority > s.Terms.Priority {
			t.Fatalf("at place %d: %+v", i, s)
		}
		seen[s.ID] = true
	}
	if none, err := newTestOperator(t).List(t.Context()); err != nil || len(none) != 0 {
		t.Errorf("of nobody: %v, %v", none, err)
	}
}
