package storetest

import (
	"fmt"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/store"
)

// capUse changes an offer to each state, and checks what counts in every period.
func (c Contract) capUse(t *testing.T) {
	s := c.store(t)
	hour := func(from time.Time) buyer.Period { return buyer.Period{Begin: from, End: from.Add(time.Hour)} }
	day := buyer.Period{Begin: Noon.Add(-12 * time.Hour), End: Noon.Add(12 * time.Hour)}
	want := func(when, id string, period buyer.Period, n int) {
		t.Helper()
		update(t, s, func(tx *store.Tx) error {
			used, err := tx.Used(id, period)
			if want := (buyer.Usage{Leads: n, Money: buyer.Cents(n) * 45_00}); used != want {
				t.Errorf("%s: %s used %v of the time from %v, want %v", when, id, used, period.Begin, want)
			}
			return err
		})
	}
	want("before anything", "buyer_1", buyer.Period{}, 0)
	for state, counts := range map[buyer.OfferState]int{buyer.OfferOpen: 1, buyer.OfferAccepted: 1, buyer.OfferDelivered: 1, buyer.OfferLost: 1, buyer.OfferDeclined: 0, buyer.OfferFailed: 0, buyer.OfferReturned: 0} {
		id := "buyer_" + string(state)
		o := offerTo(t, s, buyer.Offer{ID: "offer_" + string(state), Buyer: id, At: Noon.Add(59 * time.Minute), Price: 45_00}, state)
		for _, period := range []buyer.Period{hour(Noon), day, {}} {
			want(string(state), id, period, counts)
		}
		want(string(state), id, hour(Noon.Add(time.Hour)), 0)
		want(string(state), id, hour(Noon.Add(-time.Hour)), 0)
		update(t, s, func(tx *store.Tx) error { return tx.PutOffer(o, state) })
		want(string(state)+" said twice", id, buyer.Period{}, counts)
	}
	offerTo(t, s, buyer.Offer{ID: "offer_next_hour", Buyer: "buyer_open", At: Noon.Add(time.Hour), Price: 45_00}, buyer.OfferOpen)
	want("an hour later", "buyer_open", hour(Noon), 1)
	want("an hour later", "buyer_open", day, 2)
	want("an hour later", "buyer_open", buyer.Period{}, 2)
}

// countsByDay writes counts for each hour of three months, and adds up the older ones twice: the second time an hour was counted late.
func (c Contract) countsByDay(t *testing.T) {
	database := c.NewDatabase(t)
	s := Open(t, database)
	Save(t, s, Lead("lead_newest")) // at noon
	const days, old = 90, 90 - 62
	today := Noon.Unix() / 86400
	MustExec(t, database, fmt.Sprintf(`INSERT INTO offer_counts (buyer_id, hour, used, offered, accepted, delivered, returned, used_cents, charged_cents, credited_cents)
		WITH RECURSIVE hours(hour) AS (SELECT %d UNION ALL SELECT hour + 1 FROM hours WHERE hour < %d) SELECT 'buyer_1', hour, 1, 5, 4, 3, 2, 400, 300, 200 FROM hours`, (today-days)*24, today*24+12))
	midnight := func(day int64) time.Time { return time.Unix((today-days+day)*86400, 0) }
	want := func(when string, period buyer.Period, hours int) {
		t.Helper()
		update(t, s, func(tx *store.Tx) error {
			got, err := tx.Counts("buyer_1", period)
			if want := (buyer.Counts{
				Used: buyer.Usage{Leads: hours, Money: buyer.Cents(400 * hours)}, Offered: 5 * hours, Accepted: 4 * hours, Delivered: 3 * hours, Returned: 2 * hours,
				Charged: buyer.Cents(300 * hours), Credited: buyer.Cents(200 * hours),
			}); got != want {
				t.Errorf("%s, from %v: %+v, want %+v", when, period.Begin, got, want)
			}
			return err
		})
	}
	for i, when := range []string{"before", "after", "an hour later"} {
		want(when, buyer.Period{}, days*24+13)
		want(when, buyer.Period{Begin: midnight(0), End: midnight(1)}, 24)
		want(when, buyer.Period{Begin: midnight(old - 1), End: midnight(old)}, 24)
		want(when, buyer.Period{Begin: midnight(old), End: midnight(old).Add(time.Hour)}, 1) // two months ago
		if err := Job(t, s).FoldCounts(t.Context()); err != nil {
			t.Fatal(err)
		}
		var rows int
		if err := Raw(t, database).QueryRow(`SELECT count(*) FROM offer_counts`).Scan(&rows); err != nil || rows != old+62*24+13 {
			t.Errorf("%s: %d rows (%v), want %d", when, rows, err, old+62*24+13)
		}
		if i == 1 {
			MustExec(t, database, fmt.Sprintf(`INSERT INTO offer_counts (buyer_id, hour, used, offered, accepted, delivered, returned, used_cents, charged_cents, credited_cents) VALUES ('buyer_1', %d, 1, 5, 4, 3, 2, 400, 300, 200)`, (today-days)*24+5))
			MustExec(t, database, fmt.Sprintf(`UPDATE offer_counts SET used = used - 1, offered = offered - 5, accepted = accepted - 4, delivered = delivered - 3, returned = returned - 2,
				used_cents = used_cents - 400, charged_cents = charged_cents - 300, credited_cents = credited_cents - 200 WHERE hour = %d`, (today-days)*24))
		}
	}
}

// countsByDayInZone writes counts for the 24 hours of a day of UTC, and reads the days around it in other time zones, before and after the hours
// become one.
func (c Contract) countsByDayInZone(t *testing.T) {
	database := c.NewDatabase(t)
	s := Open(t, database)
	Save(t, s, Lead("lead_newest")) // at noon
	cases := []struct {
		zone string
		ago  int    // days
		want [3]int // hours of the day before, of the day, and of the day after
	}{
		{"UTC", 70, [3]int{0, 24, 0}},
		{"America/New_York", 70, [3]int{0, 24, 0}},
		{"Pacific/Honolulu", 70, [3]int{0, 24, 0}},
		{"Asia/Kathmandu", 70, [3]int{0, 24, 0}},
		{"Asia/Tokyo", 70, [3]int{0, 24, 0}},
		{"America/New_York", 63, [3]int{0, 24, 0}}, // the last of those that become one
		{"America/New_York", 62, [3]int{4, 20, 0}}, // the first that keeps its hours
		{"Asia/Tokyo", 2, [3]int{0, 15, 9}},
	}
	for i, tc := range cases {
		MustExec(t, database, fmt.Sprintf(`INSERT INTO offer_counts (buyer_id, hour, used, offered)
			WITH RECURSIVE hours(hour) AS (SELECT %d UNION ALL SELECT hour + 1 FROM hours WHERE hour %% 24 < 23) SELECT 'buyer_%d', hour, 1, 1 FROM hours`, (Noon.Unix()/86400-int64(tc.ago))*24, i))
	}
	for _, when := range []string{"before", "after"} {
		for i, tc := range cases {
			zone, err := time.LoadLocation(tc.zone)
			if err != nil {
				t.Fatal(err)
			}
			var got [3]int
			update(t, s, func(tx *store.Tx) error {
				for day := range got {
					begin := time.Date(Noon.Year(), Noon.Month(), Noon.Day()-tc.ago+day-1, 0, 0, 0, 0, zone)
					counts, err := tx.Counts(fmt.Sprint("buyer_", i), buyer.Period{Begin: begin, End: begin.AddDate(0, 0, 1)})
					if err != nil {
						return err
					}
					got[day] = counts.Offered
				}
				return nil
			})
			if got != tc.want {
				t.Errorf("%s, %d days ago in %s: %v, want %v", when, tc.ago, tc.zone, got, tc.want)
			}
		}
		if err := Job(t, s).FoldCounts(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
