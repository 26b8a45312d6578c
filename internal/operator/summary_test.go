package operator_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/operator"
)

// TestACardCountsWhatWasUsed offers leads at several times and reads the counts of each period, capped or not.
func TestACardCountsWhatWasUsed(t *testing.T) {
	o := newOffice(t)
	b := o.add(func(d *operator.TermsInput) { d.CapDay, d.TimeZone = new(5), new("America/New_York") })
	for i, before := range []time.Duration{0, time.Minute, 2 * time.Hour, 30 * time.Hour, 24 * 40 * time.Hour} {
		o.turn(func(p operator.Tx) error {
			return p.AddOffer(buyer.Offer{ID: fmt.Sprint("offer_", i), Lead: int64(i), Buyer: b.ID, At: o.now.Add(-before), State: buyer.OfferOpen})
		})
	}
	o.now = o.now.Add(time.Minute)
	c, err := o.Show(t.Context(), b.ID)
	want := []operator.Use{ // noon in London is seven in New York
		{Period: "hour", Counts: buyer.Counts{Used: 1}, Ends: time.Date(2026, time.November, 5, 13, 0, 0, 0, time.UTC)},
		{Period: "day", Counts: buyer.Counts{Used: 3}, Cap: 5, Ends: time.Date(2026, time.November, 6, 5, 0, 0, 0, time.UTC)},
		{Period: "month", Counts: buyer.Counts{Used: 4}, Ends: time.Date(2026, time.December, 1, 5, 0, 0, 0, time.UTC)},
		{Period: "total", Counts: buyer.Counts{Used: 5}},
	}
	for i := range c.Use {
		c.Use[i].Offered = 0 // what became of them is counted elsewhere
	}
	if diff := cmp.Diff(want, c.Use); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if today := c.Today(); today.Used != 3 || today.Cap != 5 {
		t.Errorf("today it is %+v", today)
	}
}

func TestTheListBeginsWithWhoIsAskedFirst(t *testing.T) {
	o := newOffice(t)
	for i := range 120 { // more than one transaction looks at
		o.add(func(d *operator.TermsInput) { d.Name, d.Priority = new(fmt.Sprint("buyer ", i)), new((120-i)/50) })
	}
	cards, err := o.List(t.Context())
	if err != nil || len(cards) != 120 {
		t.Fatalf("got %d, %v", len(cards), err)
	}
	seen := make(map[string]bool)
	for i, c := range cards {
		if seen[c.ID] || len(c.Use) != 4 || i > 0 && cards[i-1].Terms.Priority > c.Terms.Priority {
			t.Fatalf("at place %d: %+v", i, c)
		}
		seen[c.ID] = true
	}
	if none, err := newOffice(t).List(t.Context()); err != nil || len(none) != 0 {
		t.Errorf("of nobody: %v, %v", none, err)
	}
}
