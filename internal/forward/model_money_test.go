package forward_test

import (
	"slices"
	"time"

	"pgregory.net/rapid"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// setPrices draws prices, and sometimes caps of money and a credit limit. They are such that few leads use them up, with some cents
// left over.
func (w *world) setPrices(t *buyer.Terms) {
	t.Prices = map[lead.Service]buyer.Cents{lead.HVAC: pick(w, "price", []buyer.Cents{45_00, 30_01}), lead.Handyman: pick(w, "price", []buyer.Cents{20_00, 45_00, 0})}
	some := rapid.SampledFrom([]buyer.Cents{0, 0, 45_00, 60_02, 100_00})
	t.Caps.MoneyDay, t.Caps.MoneyMonth = some.Draw(w.t, "money a day"), some.Draw(w.t, "money a month")
	if limit := pick(w, "credit", []buyer.Cents{-1, 0, 0, 50_00}); limit >= 0 {
		t.CreditLimit = &limit
	}
}

// hasMoney checks a lead against a cap of money, 0 for none.
func (w *world) hasMoney(b buyer.Buyer, l *modelLead, limit buyer.Cents, in func(time.Time) bool) bool {
	price := b.Terms.Prices[l.Request.Service]
	return limit == 0 || price == 0 || w.spent(b.ID, in)+price <= limit
}

// hasBalance checks a lead against what a buyer paid or may owe.
func (w *world) hasBalance(b buyer.Buyer, l *modelLead) bool {
	price := b.Terms.Prices[l.Request.Service]
	return b.Terms.CreditLimit == nil || price == 0 || w.spent(b.ID, always)+price <= b.Funds+*b.Terms.CreditLimit
}

// spent is the money for the offers that count toward the caps of a buyer.
func (w *world) spent(id string, in func(time.Time) bool) (sum buyer.Cents) {
	for _, o := range w.counting(id, in) {
		sum += o.price
	}
	return sum
}

// pay enters a payment: leads that are held for want of money are offered.
func (w *world) pay() {
	mb, amount := w.someBuyer(), pick(w, "amount", []buyer.Cents{45_00, 20_00, 100_00, 29_99})
	_, err := w.operator.TopUp(w.t.Context(), ada, mb.id, amount, "")
	w.must(err)
	w.version++
	mb.funds += amount
}

// correct enters a correction, in favor of the buyer or of the operator.
func (w *world) correct() {
	mb, amount := w.someBuyer(), pick(w, "amount", []buyer.Cents{10_00, -10_00, 99_99})
	_, err := w.operator.Correct(w.t.Context(), ada, mb.id, amount, "agreed")
	w.must(err)
	w.version++
	mb.funds -= amount
}

// compareLedger checks that each delivered lead was charged once, at the price of its offer, and that the other entries come to what was
// paid and corrected.
func (w *world) compareLedger(after string, rows []*tableRow) {
	charged, funds := make(map[string]buyer.Cents), make(map[string]buyer.Cents)
	for _, r := range rows {
		id, kind, amount, offer := r.text(), buyer.EntryKind(r.text()), buyer.Cents(r.number()), r.text()
		r.end()
		switch kind {
		case buyer.EntryCharge:
			if charged[offer] != 0 {
				w.t.Fatalf("after %s: %s was charged twice", after, offer)
			}
			charged[offer] = amount
		default:
			funds[id] -= amount
		}
	}
	for _, l := range w.leads {
		for _, o := range l.offers {
			want := buyer.Cents(0)
			if o.state == buyer.OfferDelivered {
				want = o.price
			}
			if charged[o.id] != want {
				w.t.Fatalf("after %s: %s is %s at %s, but charged was %s", after, o.id, o.state, o.price, charged[o.id])
			}
			if want > 0 {
				w.tally.count("a lead is charged")
			}
		}
	}
	for _, mb := range w.buyers {
		if now, known := w.currentBuyers()[mb.id]; funds[mb.id] != mb.funds || known && now.Funds != mb.funds {
			w.t.Fatalf("after %s: %s paid %s, and has %s, but the model says %s", after, mb.id, funds[mb.id], now.Funds, mb.funds)
		}
	}
}

// compareCounts compares the sums that caps and balances are made of with the offers of the model.
func (w *world) compareCounts() {
	for _, mb := range w.buyers {
		var got buyer.Counts
		w.must(w.st.View(w.t.Context(), func(tx *store.Tx) (err error) { got, err = tx.Counts(mb.id, buyer.Period{}); return err }))
		want := buyer.Counts{Used: buyer.Usage{Leads: w.used(mb.id, always), Money: w.spent(mb.id, always)}}
		for _, l := range w.leads {
			for _, o := range l.offersTo(mb.id) {
				want.Offered++
				if slices.Contains([]buyer.OfferState{buyer.OfferAccepted, buyer.OfferDelivered, buyer.OfferLost}, o.state) {
					want.Accepted++
				}
				if o.state == buyer.OfferDelivered {
					want.Delivered++
					want.Charged += o.price
				}
			}
		}
		if got != want {
			w.t.Fatalf("the counts of %s are %+v, but the model says %+v", mb.id, got, want)
		}
	}
}
