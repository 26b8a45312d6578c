package query_test

import (
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/store"
)

// TestPracticeIsNoBusiness sells one lead to a buyer and two to the practice buyer, of which one comes back. No report counts those two, by day,
// hour, place, source, buyer or wait, also once the practice buyer is removed and everything is counted again.
func TestPracticeIsNoBusiness(t *testing.T) {
	onBothEngines(t, func(o *testStore) {
		practice := o.addBuyer("buyer_3", "Practice buyer")
		practice.Terms.Practice, practice.Terms.URL = true, buyer.PracticeURL
		o.update(func(tx *store.Tx) error { return tx.PutBuyer(practice) })
		o.sell("lead_business", "buyer_1", buyer.OfferDelivered)
		o.report(func(*store.Tx, query.ReportRange) error { return nil })
		o.sell("lead_practice", practice.ID, buyer.OfferDelivered)
		o.sell("lead_returned", practice.ID, buyer.OfferReturned)
		o.wantOneLead("active")
		o.update(func(tx *store.Tx) error { return tx.RemoveBuyer(practice.ID, o.now) })
		o.update(func(tx *store.Tx) error { return tx.LeadCounts().Rebuild(time.UTC) })
		o.wantOneLead("removed, counted again")
	})
}

// sell stores a lead that waited, was counted, and was sold.
func (o *testStore) sell(id, to string, state buyer.OfferState) {
	o.t.Helper()
	o.save(id, func(l *lead.Lead) { l.Status, l.CreatedAt = lead.Received, firstMoment })
	o.report(func(*store.Tx, query.ReportRange) error { return nil })
	offer := buyer.Offer{ID: "offer_" + id, Buyer: to, At: firstMoment.Add(time.Second), State: buyer.OfferOpen}
	o.update(func(tx *store.Tx) (err error) {
		if offer.Lead, err = tx.LeadOf(id); err != nil {
			return err
		}
		if err := tx.AddOffer(offer); err != nil {
			return err
		}
		offer.State = state
		if err := tx.PutOffer(offer, buyer.OfferOpen); err != nil {
			return err
		}
		if err := tx.EndDelivery(offer.Lead); err != nil {
			return err
		}
		return tx.Change(offer.Lead, lead.Received, lead.Change{At: firstMoment.Add(2 * time.Second), Status: lead.Forwarded, Actor: lead.ByService})
	})
}

// wantOneLead wants every report to count the one lead that was business.
func (o *testStore) wantOneLead(when string) {
	o.t.Helper()
	o.report(func(tx *store.Tx, r query.ReportRange) error {
		want := func(what string, got, want int64) {
			o.t.Helper()
			if got != want {
				o.t.Errorf("%s: %s: %d, want %d", when, what, got, want)
			}
		}
		days, all, err := query.LeadsReport(tx, r, "day")
		if err != nil {
			return err
		}
		want("days", int64(len(days)), 1)
		want("leads", all.Received, 1)
		want("sold", all.Outcomes[buyer.OutcomeSold], 1)
		want("demand", all.Demand(), 1)
		hours, err := query.HoursReport(tx, "2026-11-05")
		if err != nil {
			return err
		}
		want("leads of the hours", sumOf(hours), 1)
		_, sources, err := query.SourcesReport(tx, r)
		if err != nil {
			return err
		}
		want("leads of the sources", sources.Received, 1)
		_, speed, err := query.SpeedReport(tx, r, "day")
		if err != nil {
			return err
		}
		want("leads that waited for an offer", speed.Offer.Leads, 1)
		want("leads that waited for a buyer", speed.Sale.Leads, 1)
		buyers, offers, err := query.BuyersReport(tx, r)
		if err != nil {
			return err
		}
		want("buyers", int64(len(buyers)), 1)
		want("offers", int64(offers.Counts.Offered), 1)
		today, err := query.OffersReport(tx, r)
		want("offers of the day", int64(today.Offered), 1)
		return err
	})
}

func sumOf(rows []query.LeadsRow) (n int64) {
	for _, r := range rows {
		n += r.Received
	}
	return n
}
