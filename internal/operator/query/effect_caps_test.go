package query

import (
	"math/rand/v2"
	"testing"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// TestWithinCaps holds random days against random caps: none is exceeded, and no lead is left that there was room for.
func TestWithinCaps(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		terms := buyer.Terms{
			Services: []lead.Service{lead.HVAC, lead.Handyman, lead.PestControl},
			Prices:   map[lead.Service]buyer.Cents{lead.HVAC: 45_00, lead.Handyman: buyer.Cents(r.IntN(3) * 7_01), lead.PestControl: 19_99},
		}
		if terms.Caps.Day = r.IntN(2) * r.IntN(3000); r.IntN(2) > 0 {
			terms.Caps.MoneyDay = buyer.Cents(r.IntN(60_000_00))
		}
		asked, all := make(map[lead.Service]float64), 0
		for _, s := range terms.Services {
			n := r.IntN(1500)
			asked[s] = float64(n)
			all += n
		}
		const day = "2026-11-18"
		taken := withinCaps(terms, []string{day}, map[string]map[lead.Service]float64{day: asked})
		leads, money := 0, buyer.Cents(0)
		for s, n := range taken {
			leads, money = leads+int(n), money+buyer.Cents(n)*terms.Price(s)
		}
		room, today := roomOf(terms.Caps.Day, terms.Caps.MoneyDay), buyer.Room{Leads: leads, Money: money}
		if today.Leads > min(room.Leads, all) || today.Money > room.Money {
			t.Fatalf("seed %d: %d leads for %v of %d, with room for %+v", seed, leads, money, all, room)
		}
		for _, s := range terms.Services {
			fits := today.Leads < room.Leads && (buyer.Room{Money: room.Money - today.Money}).Affords(terms.Price(s))
			if float64(taken[s]) < asked[s] && fits {
				t.Fatalf("seed %d: a lead for %s is left, and there is room for it: %v of %v within %+v", seed, s, taken, asked, terms.Caps)
			}
		}
	}
}
