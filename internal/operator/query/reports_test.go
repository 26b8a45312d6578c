package query_test

import (
	"fmt"
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

// The days of these tests, in New York: two, the day before, and the day after.
var (
	firstMoment = time.Date(2026, 11, 5, 5, 0, 0, 0, time.UTC)
	secondDay   = firstMoment.Add(24 * time.Hour)
	lastMoment  = firstMoment.Add(48*time.Hour - time.Second)
	edges       = []time.Time{firstMoment.Add(-time.Second), lastMoment.Add(time.Second)}
)

// onBothEngines runs a test in a store of each engine, with two buyers.
func onBothEngines(t *testing.T, test func(o *testStore)) {
	t.Helper()
	for name, database := range map[string]func(*testing.T) string{"SQLite": storetest.SQLite, "PostgreSQL": storetest.PostgreSQL} {
		t.Run(name, func(t *testing.T) {
			o := openTestStore(t, database(t))
			o.addBuyer("buyer_1", "Cool Air")
			o.addBuyer("buyer_2", "Warm Air")
			test(o)
		})
	}
}

// report counts everything, and reads a report of the two days.
func (o *testStore) report(read func(tx *store.Tx, r query.ReportRange) error) {
	o.t.Helper()
	storetest.CountLeads(o.t, o.store, "America/New_York")
	if err := o.store.View(o.t.Context(), func(tx *store.Tx) error {
		r, err := query.NewReportRange(tx, "2026-11-05", "2026-11-06", o.now)
		if err != nil {
			return err
		}
		return read(tx, r)
	}); err != nil {
		o.t.Fatal(err)
	}
}

// sale is a lead that was offered and sold after some time, or never if that is 0.
type sale struct {
	received    time.Time
	offer, sold time.Duration
}

func (o *testStore) addSale(s sale) {
	o.t.Helper()
	id := "lead_" + o.nextID()
	o.save(id, func(l *lead.Lead) { l.Status, l.CreatedAt = lead.Received, s.received })
	o.update(func(tx *store.Tx) error {
		seq, err := tx.LeadOf(id)
		if err != nil || s.offer == 0 {
			return err
		}
		for i, at := range []time.Time{s.received.Add(s.offer), s.received.Add(s.offer + time.Hour)} { // the first one counts
			if err := tx.AddOffer(buyer.Offer{ID: fmt.Sprintf("offer_%s_%d", id, i), Lead: seq, Buyer: "buyer_1", At: at, State: buyer.OfferOpen}); err != nil {
				return err
			}
		}
		if s.sold == 0 {
			return nil
		}
		if err := tx.EndDelivery(seq); err != nil {
			return err
		}
		return tx.Change(seq, lead.Received, lead.Change{At: s.received.Add(s.sold), Status: lead.Forwarded, Actor: lead.ByService})
	})
}

// TestSpeedReport wants the waits of each day, and of all: half of the leads waited at most as long as P50, all but a twentieth as long as
// P95. Waits are in buckets that are 9 % wide.
func TestSpeedReport(t *testing.T) {
	const second, ten, hundred, twoHundred = 1024 * time.Millisecond, 10624 * time.Millisecond, 101070 * time.Millisecond, 202141 * time.Millisecond
	onBothEngines(t, func(o *testStore) {
		for i := range 20 {
			s := sale{received: firstMoment.Add(time.Duration(i) * time.Minute), offer: time.Second}
			switch {
			case i == 0:
				s.sold = 10 * time.Second
			case i == 10:
				s.offer, s.sold = 100*time.Second, 100*time.Second
			case i > 10:
				s.offer = 10 * time.Second
			}
			o.addSale(s)
		}
		o.addSale(sale{lastMoment, 100 * time.Second, 200 * time.Second}) // it counts when it was received
		o.addSale(sale{received: secondDay})
		for _, at := range edges {
			o.addSale(sale{at, time.Second, time.Second})
		}
		for by, want := range map[string][]query.SpeedRow{
			"day": {
				{Key: "2026-11-05", Offer: query.Waits{Leads: 20, P50: second, P95: ten}, Sale: query.Waits{Leads: 2, P50: ten, P95: hundred}},
				{Key: "2026-11-06", Offer: query.Waits{Leads: 1, P50: hundred, P95: hundred}, Sale: query.Waits{Leads: 1, P50: twoHundred, P95: twoHundred}},
				{Key: "all", Offer: query.Waits{Leads: 21, P50: ten, P95: hundred}, Sale: query.Waits{Leads: 3, P50: hundred, P95: twoHundred}},
			},
			"month": {
				{Key: "2026-11", Offer: query.Waits{Leads: 21, P50: ten, P95: hundred}, Sale: query.Waits{Leads: 3, P50: hundred, P95: twoHundred}},
				{Key: "all", Offer: query.Waits{Leads: 21, P50: ten, P95: hundred}, Sale: query.Waits{Leads: 3, P50: hundred, P95: twoHundred}},
			},
		} {
			o.report(func(tx *store.Tx, r query.ReportRange) error {
				list, all, err := query.SpeedReport(tx, r, by)
				if diff := cmp.Diff(want, append(list, all)); diff != "" {
					o.t.Errorf("by %s (-want +got):\n%s", by, diff)
				}
				return err
			})
		}
	})
}

// TestBuyersReport wants what became of the offers to each buyer, and why it declined.
func TestBuyersReport(t *testing.T) {
	onBothEngines(t, func(o *testStore) {
		o.save("lead_1", func(l *lead.Lead) { l.CreatedAt = firstMoment })
		offer := func(id string, at time.Time, state buyer.OfferState, price buyer.Cents, answers ...string) {
			of := buyer.Offer{ID: "offer_" + o.nextID(), Lead: 1, Buyer: id, At: at, State: buyer.OfferOpen, Price: price}
			o.addOffer(of)
			o.update(func(tx *store.Tx) error {
				for _, answer := range answers {
					kind := forward.LeadOffered
					if answer == "delivered" { // acknowledges the contact
						kind, answer = forward.LeadDelivered, string(buyer.Accepts)
					}
					if err := tx.AddAttempt(buyer.Attempt{Lead: 1, Offer: of.ID, Kind: kind, At: at, Took: time.Second, Status: 200, Decision: answer}); err != nil {
						return err
					}
				}
				if state == buyer.OfferReturned {
					if err := tx.Return(of, "bad number", at.Add(time.Hour)); err != nil {
						return err
					}
				}
				of.State = state
				return tx.PutOffer(of, buyer.OfferOpen)
			})
		}
		offer("buyer_1", firstMoment, buyer.OfferDelivered, 4500, "accept", "delivered")
		offer("buyer_1", firstMoment, buyer.OfferReturned, 3000, "accept", "failed", "delivered")
		offer("buyer_1", secondDay, buyer.OfferLost, 2000, "accept", "failed", buyer.Unknown)
		offer("buyer_1", secondDay, buyer.OfferDeclined, 2000, "reject")
		offer("buyer_1", lastMoment, buyer.OfferDeclined, 2000, "reject cap")
		offer("buyer_1", lastMoment, buyer.OfferDeclined, 2000, "reject cap")
		offer("buyer_1", lastMoment, buyer.OfferDeclined, 2000, "reject out_of_area")
		offer("buyer_2", firstMoment, buyer.OfferDelivered, 5000, "accept", "delivered")
		offer("buyer_2", lastMoment, buyer.OfferDeclined, 5000, "reject out_of_area")
		offer("buyer_2", lastMoment, buyer.OfferDeclined, 5000, "reject out_of_area")
		offer("buyer_2", lastMoment, buyer.OfferFailed, 5000, "pause")
		for _, at := range edges {
			offer("buyer_1", at, buyer.OfferDelivered, 9900, "accept", "failed", "delivered")
			offer("buyer_2", at, buyer.OfferDeclined, 9900, "reject closed")
		}
		type row struct {
			Buyer                                  string
			Offered, Accepted, Delivered, Returned int
			Charged, Credited                      buyer.Cents
			Failed                                 int64
			Declines                               string
		}
		o.report(func(tx *store.Tx, r query.ReportRange) error {
			list, all, err := query.BuyersReport(tx, r)
			var got []row
			for _, b := range append(list, all) {
				c := b.Counts
				got = append(got, row{b.Buyer.ID, c.Offered, c.Accepted, c.Delivered, c.Returned, c.Charged, c.Credited, b.Failed, fmt.Sprint(b.Declines)})
			}
			want := []row{
				{"buyer_2", 4, 1, 1, 0, 5000, 0, 1, "[{out_of_area 2}]"},
				{"buyer_1", 7, 3, 2, 1, 7500, 3000, 3, "[{cap 2} {other 1} {out_of_area 1}]"},
				{"", 11, 4, 3, 1, 12500, 3000, 4, "[{out_of_area 3} {cap 2} {other 1}]"},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				o.t.Errorf("-want +got:\n%s", diff)
			}
			offers, offersErr := query.OffersReport(tx, r)
			if diff := cmp.Diff(all.Counts, offers); diff != "" || offersErr != nil {
				o.t.Errorf("all offers: %v (-want +got):\n%s", offersErr, diff)
			}
			return err
		})
	})
}

// TestReturnsReport wants what became of the returns of each buyer and code. They count when they came, not when the lead was offered.
func TestReturnsReport(t *testing.T) {
	onBothEngines(t, func(o *testStore) {
		o.save("lead_1", func(l *lead.Lead) { l.CreatedAt = firstMoment })
		giveBack := func(id string, at time.Time, code lead.ReturnCode, state buyer.ReturnState, price buyer.Cents) {
			offer := "offer_" + o.nextID()
			o.addOffer(buyer.Offer{ID: offer, Lead: 1, Buyer: id, At: firstMoment.Add(-72 * time.Hour), State: buyer.OfferDelivered, Price: price})
			r := buyer.Return{Offer: offer, Buyer: id, At: at, Code: code, State: state}
			if state != buyer.ReturnWaiting {
				r.DecidedAt, r.DecidedBy = lastMoment.Add(time.Hour), "cli:ada"
			}
			o.update(func(tx *store.Tx) error { return tx.Returns().Put(r) })
		}
		giveBack("buyer_1", firstMoment, lead.ReturnBadContact, buyer.ReturnApproved, 4500)
		giveBack("buyer_1", secondDay, lead.ReturnBadContact, buyer.ReturnApproved, 3000)
		giveBack("buyer_1", secondDay, lead.ReturnBadContact, buyer.ReturnDenied, 2000)
		giveBack("buyer_1", lastMoment, lead.ReturnBadContact, buyer.ReturnWaiting, 1000)
		giveBack("buyer_1", lastMoment, lead.ReturnDuplicate, buyer.ReturnWaiting, 1000)
		giveBack("buyer_2", lastMoment, lead.ReturnDuplicate, buyer.ReturnDenied, 1000)
		for _, at := range edges {
			giveBack("buyer_1", at, lead.ReturnBadContact, buyer.ReturnApproved, 9900)
			giveBack("buyer_2", at, lead.ReturnOther, buyer.ReturnWaiting, 9900)
		}
		o.report(func(tx *store.Tx, r query.ReportRange) error {
			got, err := query.ReturnsReport(tx, r)
			want := []query.ReturnsRow{
				{store.ReturnCount{Buyer: "buyer_1", Code: lead.ReturnBadContact, Waiting: 1, Approved: 2, Denied: 1, Credited: 7500}, "Cool Air"},
				{store.ReturnCount{Buyer: "buyer_1", Code: lead.ReturnDuplicate, Waiting: 1}, "Cool Air"},
				{store.ReturnCount{Buyer: "buyer_2", Code: lead.ReturnDuplicate, Denied: 1}, "Warm Air"},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				o.t.Errorf("-want +got:\n%s", diff)
			}
			return err
		})
	})
}
