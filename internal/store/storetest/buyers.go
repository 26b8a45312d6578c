package storetest

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

var discard = slog.New(slog.DiscardHandler)

func (c Contract) buyers(t *testing.T) {
	t.Run("every field comes back", c.buyerFields)
	t.Run("every process sees a change of the version", c.buyersVersion)
	t.Run("a buyer that does not exist is not found", c.unknownBuyer)
	t.Run("of a removed buyer only its offers stay", c.removeBuyer)
	t.Run("a buyer's health comes back", c.buyerHealth)
	t.Run("buyers wake in order", c.buyersToWake)
}

// Buyer returns a buyer with every term set, each to another value.
func Buyer(id string) buyer.Buyer {
	return buyer.Buyer{
		ID: id, Secrets: []string{"whsec_new", "whsec_old"}, State: buyer.Paused, Why: "its address answered 403",
		CreatedAt: Noon, UpdatedAt: Noon.Add(time.Microsecond),
		Terms: buyer.Terms{
			Name: "Brise & Söhne \"Cool\"", URL: "https://buyer.example.com/leads?x=1&y=2", Services: []lead.Service{lead.HVAC, lead.Handyman},
			Area: buyer.Area{ZIPs: "331*,90210", Excluded: "33139", States: []string{"CA", "FL"}}, Caps: buyer.Caps{Hour: 1, Day: 2, Month: 3, Total: 4},
			Hours: buyer.Hours{Text: "mon-fri 08:00-18:00", Zone: "America/New_York"}, Demands: buyer.Demands{OwnForm: true, PlausiblePhone: true, NoDuplicates: true, Street: true},
			Priority: -7, Prices: map[lead.Service]buyer.Cents{lead.HVAC: 45_00, lead.Handyman: 0}, CreditLimit: new(buyer.Cents(500_00)), Returns: buyer.ReturnTerms{Days: 3, Approve: []lead.ReturnCode{lead.ReturnOther}},
			Payout: "$20", PayoutShown: true, MaxInFlight: 3, OneStep: true, PlainAccept: true,
		},
	}
}

func (c Contract) buyerFields(t *testing.T) {
	s := c.store(t)
	full, plain := Buyer("buyer_full"), buyer.Buyer{ID: "buyer_plain", State: buyer.Active, CreatedAt: Noon.Add(-time.Hour), UpdatedAt: Noon}
	plain.Secrets, plain.Terms.Services = []string{}, []lead.Service{}
	for _, b := range []buyer.Buyer{full, plain} {
		update(t, s, func(tx *store.Tx) error { return tx.PutBuyer(b) })
		update(t, s, func(tx *store.Tx) error {
			got, err := tx.Buyer(b.ID)
			if diff := cmp.Diff(b, got); diff != "" {
				t.Errorf("what came back differs (-put +found):\n%s", diff)
			}
			return err
		})
	}
	changed := full
	changed.State, changed.Why, changed.Terms.Name, changed.Secrets, changed.UpdatedAt = buyer.Active, "", "Another", []string{"whsec_newest"}, Noon.Add(time.Hour)
	changed.CreatedAt = Noon.Add(time.Minute) // PutBuyer does not change it
	update(t, s, func(tx *store.Tx) error { return tx.PutBuyer(changed) })
	changed.CreatedAt = full.CreatedAt
	got, _, err := s.Buyers(t.Context())
	if diff := cmp.Diff([]buyer.Buyer{plain, changed}, got); diff != "" || err != nil {
		t.Errorf("the list, oldest first, %v (-want +got):\n%s", err, diff)
	}
}

func (c Contract) buyersVersion(t *testing.T) {
	database := c.NewDatabase(t)
	service, operator := Open(t, database), Open(t, database)
	seen := int64(-1)
	wantChange := func(what string, want bool) {
		t.Helper()
		version, err := service.BuyersVersion(t.Context())
		if err != nil || (version != seen) != want {
			t.Errorf("%s: the version was %d and is %d, %v", what, seen, version, err)
		}
		if _, listed, err := service.Buyers(t.Context()); err != nil || listed != version {
			t.Errorf("%s: the list has the version %d, want %d, %v", what, listed, version, err)
		}
		seen = version
	}
	wantChange("at first", true)
	update(t, operator, func(tx *store.Tx) error { return tx.PutBuyer(Buyer("buyer_1")) })
	wantChange("added", true)
	update(t, operator, func(tx *store.Tx) error { return tx.PutBuyer(Buyer("buyer_1")) })
	wantChange("changed", true)
	update(t, operator, func(tx *store.Tx) error {
		return errors.Join(tx.PutHealth("buyer_1", buyer.Health{Asked: Noon}), tx.AddOffer(buyer.Offer{ID: "offer_1", Buyer: "buyer_1", At: Noon, State: buyer.OfferOpen}))
	})
	wantChange("asked: that concerns nobody else", false)
	update(t, operator, func(tx *store.Tx) error { return tx.RemoveBuyer("buyer_1", Noon) })
	wantChange("removed", true)
	suppress(t, operator, somePhone, "asked", Noon)
	wantChange("another thing changed", false)
}

func (c Contract) unknownBuyer(t *testing.T) {
	s := c.store(t)
	update(t, s, func(tx *store.Tx) error { return tx.PutBuyer(Buyer("buyer_1")) })
	for _, id := range []string{"", "buyer_2", "BUYER_1", "buyer_%"} {
		if err := s.Update(t.Context(), func(tx *store.Tx) error { _, err := tx.Buyer(id); return err }); KindOf(err) != lead.NotFound {
			t.Errorf("looking for %q: %v", id, err)
		}
	}
}

func (c Contract) removeBuyer(t *testing.T) {
	s := c.store(t)
	for _, id := range []string{"buyer_1", "buyer_2"} {
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.PutBuyer(Buyer(id)), tx.PutHealth(id, buyer.Health{Failures: 3, WakeAt: Noon}),
				tx.AddOffer(buyer.Offer{ID: "offer_of_" + id, Lead: 1, Buyer: id, At: Noon, State: buyer.OfferOpen}))
		})
	}
	update(t, s, func(tx *store.Tx) error { return tx.RemoveBuyer("buyer_1", Noon) })
	update(t, s, func(tx *store.Tx) error {
		_, gone := tx.Buyer("buyer_1")
		_, stays := tx.Buyer("buyer_2")
		if KindOf(gone) != lead.NotFound || stays != nil {
			t.Errorf("the removed buyer: %v; the other: %v", gone, stays)
		}
		for id, want := range map[string]int{"buyer_1": 0, "buyer_2": 1} {
			used, err := tx.Used(id, buyer.Period{}) // offers still count
			health, healthErr := tx.Health(id)
			if err := errors.Join(err, healthErr); err != nil || used.Leads != 1 || health.Failures != 3*want {
				t.Errorf("%s: %d count towards its caps, standing %+v, %v", id, used, health, err)
			}
		}
		offers, err := tx.Offers(1)
		if len(offers) != 2 {
			t.Errorf("%d offers are left, want both", len(offers))
		}
		return err
	})
	if woken, err := s.BuyersToWake(t.Context(), Noon); err != nil || !cmp.Equal(woken, []string{"buyer_2"}) {
		t.Errorf("woken are %v, %v", woken, err)
	}
}

func (c Contract) buyerHealth(t *testing.T) {
	s := c.store(t)
	want := func(id string, want buyer.Health) {
		t.Helper()
		update(t, s, func(tx *store.Tx) error {
			got, err := tx.Health(id)
			if got != want {
				t.Errorf("%s: %+v, want %+v", id, got, want)
			}
			return err
		})
	}
	want("buyer_new", buyer.Health{})
	for _, health := range []buyer.Health{
		{Asked: Noon, Failures: 5, Opened: 2, OpenUntil: Noon.Add(time.Minute), WakeAt: Noon.Add(time.Microsecond)},
		{Asked: Noon.Add(time.Second)},
		{},
	} {
		update(t, s, func(tx *store.Tx) error { return tx.PutHealth("buyer_1", health) })
		want("buyer_1", health)
	}
}

func (c Contract) buyersToWake(t *testing.T) {
	s := c.store(t)
	for id, wake := range map[string]time.Time{"buyer_late": Noon.Add(2 * time.Second), "buyer_soon": Noon.Add(time.Second), "buyer_then": Noon.Add(time.Hour), "buyer_never": {}} {
		update(t, s, func(tx *store.Tx) error { return tx.PutHealth(id, buyer.Health{Asked: Noon, WakeAt: wake}) })
	}
	for at, want := range map[time.Duration][]string{0: nil, time.Second: {"buyer_soon"}, time.Minute: {"buyer_soon", "buyer_late"}} {
		if got, err := s.BuyersToWake(t.Context(), Noon.Add(at)); err != nil || !cmp.Equal(got, want) {
			t.Errorf("after %v: %v, %v; want %v", at, got, err, want)
		}
	}
}
