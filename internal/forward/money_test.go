package forward_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// change changes the terms of a buyer, as an operator does.
func (fx *fixture) change(id string, do func(*buyer.Terms)) {
	fx.t.Helper()
	fx.update(func(tx *store.Tx) error {
		b, err := tx.Buyer(id)
		if err != nil {
			return err
		}
		do(&b.Terms)
		b.UpdatedAt = fx.now
		if err := tx.PutBuyer(b); err != nil {
			return err
		}
		h, err := tx.Health(id)
		if err != nil {
			return err
		}
		return tx.PutHealth(id, h.Wake(fx.now))
	})
}

// The price of a lead is that of its offer, whatever is agreed on while the buyer decides. Both messages tell it.
func TestPriceIsFixedByTheOffer(t *testing.T) {
	fx := newFixture(t)
	fx.add("a")
	service := storetest.Lead("lead_1").Request.Service
	price := func(cents buyer.Cents) func(*buyer.Terms) {
		return func(t *buyer.Terms) { t.Prices = map[lead.Service]buyer.Cents{service: cents} }
	}
	fx.change("a", price(45_00))
	fx.submit("lead_1")
	offered := fx.claim()[0]
	fx.change("a", price(99_00))
	delivered := fx.send(offered)
	fx.change("a", price(0))
	fx.send(*delivered)
	for _, msg := range fx.sent {
		var body struct {
			Data struct {
				Price *int64 `json:"price_cents"`
			}
		}
		if err := json.Unmarshal(msg.Body, &body); err != nil || body.Data.Price == nil || *body.Data.Price != 45_00 {
			t.Errorf("%v: %s", err, msg.Body)
		}
	}
	if n := storetest.QueryInt(t, storetest.Raw(t, fx.database), `SELECT amount_cents FROM ledger WHERE kind = 'charge'`); len(fx.sent) != 2 || n != 45_00 {
		t.Errorf("%d messages, charged: %d", len(fx.sent), n)
	}
}

// What a buyer does not take costs it nothing, and what it cannot pay goes to the next buyer.
func TestMoneyIsReserved(t *testing.T) {
	fx := newFixture(t)
	fx.add("a", "b")
	service := storetest.Lead("lead_1").Request.Service
	fx.change("a", func(t *buyer.Terms) {
		t.Prices, t.CreditLimit = map[lead.Service]buyer.Cents{service: 45_00}, new(buyer.Cents)
	})
	fx.update(func(tx *store.Tx) error {
		return tx.AddFunds(buyer.Entry{Buyer: "a", At: fx.now, Kind: buyer.EntryPayment, Amount: -89_99})
	})
	fx.submit("lead_1", zip("33101"))
	first := fx.claim()[0]
	fx.submit("lead_2", zip("33102")) // 44.99 are left
	fx.work()
	fx.wantRecipients(forward.LeadDelivered, "b")
	fx.answer = declining("out_of_area")
	fx.send(first) // its money is free again; the lead goes to b, which declines too
	fx.f.ReleaseSlot("a")
	fx.work()
	fx.answer = accepting
	fx.submit("lead_3", zip("33103"))
	fx.submit("lead_4", zip("33104"), func(l *lead.Lead) { l.Request.Contact.Phone = "+13055550144" }) // a phone number may send three
	fx.work()
	fx.wantRecipients(forward.LeadDelivered, "b", "a", "b")
	owed := storetest.QueryInt(t, storetest.Raw(t, fx.database), `SELECT SUM(amount_cents) FROM ledger WHERE buyer_id = 'a'`)
	if owed != 45_00-89_99 {
		t.Errorf("a owes %d cents", owed)
	}
}

// A scan of held leads leaves out those that cost more than what is left, takes cheaper ones, and comes back for the others when the
// cap ends.
func TestScanByPrice(t *testing.T) {
	fx := newFixture(t)
	const cheap, dear = 30, 3
	fx.add("a")
	fx.change("a", func(t *buyer.Terms) {
		t.Prices, t.Caps.MoneyDay = map[lead.Service]buyer.Cents{lead.HVAC: 60_00, lead.Handyman: 1_00}, 84_00
		for _, s := range lead.Services {
			t.Prices[s] = max(t.Prices[s], 1_00)
		}
	})
	fx.advance(time.Minute)
	fx.work() // a scan after a change is repeated once every process knows of it
	for i := range cheap + dear {
		fx.submit(fmt.Sprintf("lead_%02d", i), func(l *lead.Lead) {
			l.Status, l.Request.Service, l.Request.Contact.Phone = lead.Collected, lead.Handyman, fmt.Sprintf("+130555501%02d", i)
			if i >= cheap {
				l.Request.Service = lead.HVAC
			}
		})
	}
	fx.update(func(tx *store.Tx) error { return tx.PutHealth("a", buyer.Health{WakeAt: fx.now}) })
	fx.work()
	if n := len(fx.recipients(forward.LeadDelivered)); n != cheap {
		t.Errorf("%d leads were delivered, want the %d cheap ones", n, cheap)
	}
	fx.wantLead(fmt.Sprintf("lead_%02d", cheap), lead.Collected)
	for day := range dear {
		fx.advance(24 * time.Hour)
		fx.work()
		fx.advance(2 * time.Second)
		fx.work()
		if n := len(fx.recipients(forward.LeadDelivered)); n != cheap+1+day {
			t.Errorf("on day %d, %d leads are delivered", day+1, n)
		}
	}
}
