package forward_test

import (
	"log/slog"
	"slices"
	"time"

	"pgregory.net/rapid"

	"foyer/internal/buyer"
	"foyer/internal/forward"
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
	_, err := w.operator.Accounts().TopUp(w.t.Context(), ada, mb.id, amount, "")
	w.must(err)
	w.version++
	mb.funds += amount
}

// correct enters a correction, in favor of the buyer or of the operator.
func (w *world) correct() {
	mb, amount := w.someBuyer(), pick(w, "amount", []buyer.Cents{10_00, -10_00, 99_99})
	_, err := w.operator.Accounts().Correct(w.t.Context(), ada, mb.id, amount, "agreed")
	w.must(err)
	w.version++
	mb.funds -= amount
}

// returnable lists the offers whose leads their buyers can return: they were delivered in the last seven days.
func (w *world) returnable() []*modelOffer {
	return w.offersThat(func(o *modelOffer) bool {
		return o.state == buyer.OfferDelivered && o.returned == "" && !w.buyer(o.to).removed && w.now.Sub(o.deliveredAt) < 7*24*time.Hour
	})
}

// undecided lists the offers whose returns can be decided: those that wait, and those that were denied.
func (w *world) undecided() []*modelOffer {
	return w.offersThat(func(o *modelOffer) bool { return o.returned == buyer.ReturnWaiting || o.returned == buyer.ReturnDenied })
}

func (w *world) offersThat(meet func(*modelOffer) bool) (list []*modelOffer) {
	for _, l := range w.leads {
		for _, o := range l.offers {
			if meet(o) {
				list = append(list, o)
			}
		}
	}
	return list
}

// returnLead lets a buyer return a lead. What was agreed on for the code decides it, or it waits.
func (w *world) returnLead() {
	o, code := pick(w, "offer", w.returnable()), pick(w, "code", []lead.ReturnCode{lead.ReturnDuplicate, lead.ReturnOther, lead.ReturnBadContact})
	desk := &forward.ReturnService{Update: w.st.Update, MaxAge: time.Minute, Now: w.clock, Log: slog.New(slog.DiscardHandler)}
	_, err := desk.Take(w.t.Context(), lead.Return{Offer: o.id, Code: code, Reason: "no", Message: o.id})
	w.must(err)
	terms := w.currentBuyers()[o.to].Terms.Returns
	switch {
	case slices.Contains(terms.Approve, code):
		o.returned, o.state = buyer.ReturnApproved, buyer.OfferReturned
	case slices.Contains(terms.Deny, code):
		o.returned = buyer.ReturnDenied
	default:
		o.returned = buyer.ReturnWaiting
	}
	w.tally.count("a lead is returned: %s", o.returned)
}

// decideReturn lets the operator approve or deny a return. What was approved stays approved.
func (w *world) decideReturn() {
	o := pick(w, "offer", w.undecided())
	if rapid.Bool().Draw(w.t, "approved") {
		_, err := w.operator.ApproveReturn(w.t.Context(), ada, o.id, "")
		w.must(err)
		o.returned, o.state = buyer.ReturnApproved, buyer.OfferReturned
		return
	}
	_, err := w.operator.DenyReturn(w.t.Context(), ada, o.id, "we called")
	if o.returned == buyer.ReturnDenied {
		if err == nil {
			w.t.Fatalf("the return of %s was denied twice", o.id)
		}
		return
	}
	w.must(err)
	o.returned = buyer.ReturnDenied
}

// compareReturns compares what became of returns.
func (w *world) compareReturns(after string, rows []*tableRow) {
	states := make(map[string]buyer.ReturnState)
	for _, r := range rows {
		offer, to, _, state := r.text(), r.text(), r.text(), buyer.ReturnState(r.text())
		r.end()
		states[offer] = state
		w.buyer(to)
	}
	for _, o := range w.offersThat(func(*modelOffer) bool { return true }) {
		if states[o.id] != o.returned {
			w.t.Fatalf("after %s: the return of %s is %q, but the model says %q", after, o.id, states[o.id], o.returned)
		}
	}
}

// compareLedger checks that each delivered lead was charged once, at the price of its offer, that each approved return was credited once,
// and that the other entries come to what was paid and corrected.
func (w *world) compareLedger(after string, rows []*tableRow) {
	funds, entries := make(map[string]buyer.Cents), make(map[string]buyer.Cents)
	for _, r := range rows {
		id, kind, amount, offer := r.text(), buyer.EntryKind(r.text()), buyer.Cents(r.number()), r.text()
		r.end()
		if offer == "" {
			funds[id] -= amount
			continue
		}
		entry := string(kind) + " " + offer
		if entries[entry] != 0 {
			w.t.Fatalf("after %s: twice in the ledger: %s", after, entry)
		}
		entries[entry] = amount
	}
	for _, o := range w.offersThat(func(*modelOffer) bool { return true }) {
		charge, credit := buyer.Cents(0), buyer.Cents(0)
		if o.state == buyer.OfferDelivered || o.state == buyer.OfferReturned {
			charge = o.price
		}
		if o.state == buyer.OfferReturned {
			credit = -o.price
		}
		if entries["charge "+o.id] != charge || entries["return "+o.id] != credit {
			w.t.Fatalf("after %s: %s is %s at %s, but charged was %s, and given back %s", after, o.id, o.state, o.price, entries["charge "+o.id], entries["return "+o.id])
		}
		if charge > 0 {
			w.tally.count("a lead is charged")
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
				switch o.state {
				case buyer.OfferReturned:
					want.Credited += o.price
					fallthrough
				case buyer.OfferDelivered:
					want.Delivered++
					want.Charged += o.price
					fallthrough
				case buyer.OfferAccepted, buyer.OfferLost:
					want.Accepted++
				}
				if o.returned != "" {
					want.Returned++
				}
			}
		}
		if got != want {
			w.t.Fatalf("the counts of %s are %+v, but the model says %+v", mb.id, got, want)
		}
	}
}

// closeStatements closes every month of every buyer: each charge, return and correction is on one statement, and what is owed in the end
// is what the leads cost, less what was given back and paid.
func (w *world) closeStatements() {
	zone := zones["America/New_York"]
	w.tick(31 * 24 * time.Hour) // the last month is over
	for _, mb := range w.buyers {
		var all buyer.Totals
		var owed buyer.Cents
		for m := buyer.MonthOf(startTime); m.Next().Begins(zone).Before(w.now); m = m.Next() {
			ids, err := w.operator.Accounts().Closable(w.t.Context(), m, zone)
			leads, charges := w.charged(mb.id, m.Begins(zone), m.Next().Begins(zone))
			if w.must(err); !slices.Contains(ids, mb.id) {
				if leads > 0 {
					w.t.Fatalf("%s got %d leads in %s, and there is no statement to close", mb.id, leads, m)
				}
				continue
			}
			s, err := w.operator.Accounts().CloseStatement(w.t.Context(), ada, mb.id, m, zone)
			w.must(err)
			if w.tally.count("a statement is closed"); s.Opening != owed {
				w.t.Fatalf("%s owed %s before %s, and %s after the month before", mb.id, s.Opening, m, owed)
			}
			if s.Leads != leads || s.Charges != charges {
				w.t.Fatalf("the statement of %s for %s has %d leads for %s, but the model says %d for %s", mb.id, m, s.Leads, s.Charges, leads, charges)
			}
			owed = s.Closing()
			all = buyer.Totals{
				Leads: all.Leads + s.Leads, Charges: all.Charges + s.Charges, Returned: all.Returned + s.Returned, Returns: all.Returns + s.Returns,
				Corrections: all.Corrections + s.Corrections, Payments: all.Payments + s.Payments,
			}
		}
		var want buyer.Totals
		for _, o := range w.offersThat(func(o *modelOffer) bool { return o.to == mb.id && o.price != 0 }) {
			if o.state == buyer.OfferDelivered || o.state == buyer.OfferReturned {
				want.Leads++
				want.Charges += o.price
			}
			if o.state == buyer.OfferReturned {
				want.Returned++
				want.Returns -= o.price
			}
		}
		if all.Corrections+all.Payments != -mb.funds {
			w.t.Fatalf("the statements of %s have payments and corrections of %s and %s, but the model says %s", mb.id, all.Payments, all.Corrections, mb.funds)
		}
		if all.Corrections, all.Payments = 0, 0; all != want {
			w.t.Fatalf("the statements of %s come to %+v, but its offers to %+v", mb.id, all, want)
		}
	}
}

// charged are the leads that a buyer acknowledged in a month, and what they cost.
func (w *world) charged(id string, from, to time.Time) (leads int, sum buyer.Cents) {
	for _, o := range w.offersThat(func(o *modelOffer) bool { return o.to == id && o.price != 0 }) {
		if (o.state == buyer.OfferDelivered || o.state == buyer.OfferReturned) && !o.deliveredAt.Before(from) && o.deliveredAt.Before(to) {
			leads++
			sum += o.price
		}
	}
	return leads, sum
}
