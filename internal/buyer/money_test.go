package buyer_test

import (
	"strings"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

func TestCents(t *testing.T) {
	for text, want := range map[string]buyer.Cents{
		"45": 45_00, "45.00": 45_00, " $45.05 ": 45_05, "0.01": 1, "0": 0, "-20.50": -20_50, "-$3": -3_00, "1000000000.00": buyer.MaxAmount, "007.00": 7_00, "1,045.00": 1045_00, "$1,000,000": 1_000_000_00,
	} {
		if got, err := buyer.ParseCents(text); err != nil || got != want {
			t.Errorf("%q is %d (%v), want %d", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "-", "$", ".50", "45.", "45.5", "45.505", "45,00", "1,0450.00", ",045", "1000,000", "1e3", "0x10", "+45", "--4", "4 5", "forty", "1_000", "-$-3", "$-3",
		"1000000000.01", "1000000001", "99999999999999999999", "9223372036854775808.00",
	} {
		if got, err := buyer.ParseCents(text); err == nil || !strings.Contains(err.Error(), "write ") {
			t.Errorf("%q is %d (%v)", text, got, err)
		}
	}
	for amount, want := range map[buyer.Cents]string{0: "$0.00", 5: "$0.05", 45_00: "$45.00", -3_50: "-$3.50", 1045_00: "$1,045.00", -1_234_567_89: "-$1,234,567.89", 999_99: "$999.99", buyer.MaxAmount: "$1,000,000,000.00"} {
		if amount.String() != want {
			t.Errorf("%d is written %s, want %s", amount, amount, want)
		}
		if text := strings.NewReplacer("$", "", ",", "").Replace(want); amount.Decimal() != text {
			t.Errorf("%d is %s for programs, want %s", amount, amount.Decimal(), text)
		}
		if back, err := buyer.ParseCents(want); err != nil || back != amount {
			t.Errorf("%s was read as %d, %v", want, back, err)
		}
	}
}

// A lead is offered if its price fits into every limit, to the cent.
func TestMoneyRules(t *testing.T) {
	day, month := at(t, newYork, "2026-03-11 00:00"), at(t, newYork, "2026-04-01 00:00")
	for _, c := range []struct {
		name   string
		change func(*buyer.Terms)
		funds  buyer.Cents
		used   buyer.Cents // in every period
		rule   string
		reason string
		until  time.Time
	}{
		{name: "no limit", used: 1_000_000_00},
		{name: "the day's cap is just enough", change: func(t *buyer.Terms) { t.Caps.MoneyDay = 100_00 }, used: 55_00},
		{
			name: "a cent too much for the day", change: func(t *buyer.Terms) { t.Caps.MoneyDay = 100_00 }, used: 55_01,
			rule: buyer.RuleMoneyCap, reason: "its money cap of $100.00 for the day leaves $44.99, and this lead costs $45.00", until: day,
		},
		{
			name: "the month's cap is less than the day's", change: func(t *buyer.Terms) { t.Caps.MoneyDay, t.Caps.MoneyMonth = 200_00, 90_00 }, used: 60_00,
			rule: buyer.RuleMoneyCap, reason: "its money cap of $90.00 for the month leaves $30.00, and this lead costs $45.00", until: month,
		},
		{
			name: "nothing fits any more", change: func(t *buyer.Terms) { t.Caps.MoneyDay = 100_00 }, used: 81_00,
			rule: buyer.RuleMoneyCap, reason: "its money cap of $100.00 for the day leaves $19.00, and this lead costs $45.00", until: day,
		},
		{
			name: "a cap that was lowered", change: func(t *buyer.Terms) { t.Caps.MoneyDay = 100_00 }, used: 300_00,
			rule: buyer.RuleMoneyCap, reason: "its money cap of $100.00 for the day leaves $0.00, and this lead costs $45.00", until: day,
		},
		{name: "paid in advance, just enough", change: credit(0), funds: 145_00, used: 100_00},
		{
			name: "paid in advance, a cent short", change: credit(0), funds: 144_99, used: 100_00,
			rule: buyer.RuleBalance, reason: "its balance is $44.99, and this lead costs $45.00",
		},
		{name: "never paid", change: credit(0), rule: buyer.RuleBalance, reason: "its balance is $0.00, and this lead costs $45.00"},
		{name: "on credit", change: credit(500_00), used: 455_00},
		{
			name: "the credit is used up", change: credit(500_00), funds: 10_00, used: 500_00,
			rule: buyer.RuleBalance, reason: "its balance is -$490.00 with a credit limit of $500.00, and this lead costs $45.00",
		},
		{
			name: "the balance is less than the cap leaves", change: func(t *buyer.Terms) { t.Caps.MoneyDay = 1000_00; credit(0)(t) }, funds: 30_00,
			rule: buyer.RuleBalance, reason: "its balance is $30.00, and this lead costs $45.00",
		},
		{name: "a service without a price", change: func(t *buyer.Terms) { credit(0)(t); delete(t.Prices, lead.HVAC) }, used: 70_00},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := buyer.Buyer{ID: "buyer_1", State: buyer.Active, Funds: c.funds, Terms: buyer.Terms{
				Services: []lead.Service{lead.HVAC, lead.Handyman}, Hours: buyer.Hours{Zone: newYork}, Prices: map[lead.Service]buyer.Cents{lead.HVAC: 45_00, lead.Handyman: 20_00},
			}}
			if c.change != nil {
				c.change(&b.Terms)
			}
			facts := buyer.Facts{Used: func(buyer.Period) (buyer.Usage, error) { return buyer.Usage{Leads: 3, Money: c.used}, nil }}
			x, err := buyer.NewCoverage([]buyer.Buyer{b}).Find(b.ID).Exclude(sample(), facts, noon)
			if err != nil || x.Rule != c.rule || x.Reason != c.reason || !x.Until.Equal(c.until) {
				t.Errorf("%+v, %v", x, err)
			}
		})
	}
}

// credit sets how much a buyer may owe.
func credit(limit buyer.Cents) func(*buyer.Terms) {
	return func(t *buyer.Terms) { t.CreditLimit = &limit }
}

// Room is used up by leads at their own prices.
func TestRoomOfMoney(t *testing.T) {
	to := newCandidate(func(terms *buyer.Terms) {
		terms.Services, terms.Prices = []lead.Service{lead.HVAC, lead.Handyman}, map[lead.Service]buyer.Cents{lead.HVAC: 45_00, lead.Handyman: 20_00}
		terms.Caps.MoneyDay = 110_00
	})
	room, none, err := to.Room(buyer.Facts{Used: func(buyer.Period) (buyer.Usage, error) { return buyer.Usage{}, nil }}, noon, 5)
	if err != nil || none.Rule != "" {
		t.Fatalf("%+v, %v", none, err)
	}
	for _, step := range []struct {
		price buyer.Cents
		fits  bool
	}{{45_00, true}, {45_00, true}, {45_00, false}, {20_00, true}, {20_00, false}, {0, true}} {
		if room.Affords(step.price) != step.fits {
			t.Errorf("with %s left, a lead for %s fits: %v", room.Money, step.price, !step.fits)
		}
		if step.fits {
			room = room.Take(step.price)
		}
	}
	if room.Leads != 1 || room.Money != 0 {
		t.Errorf("left: %+v", room)
	}
}

func TestLedgerEntries(t *testing.T) {
	o := buyer.Offer{ID: "offer_1", Buyer: "buyer_1", Price: 45_00, LeadID: "lead_9"}
	charge, costs := o.Charge(sample(), noon)
	if want := (buyer.Entry{Buyer: "buyer_1", At: noon, Kind: buyer.EntryCharge, Amount: 45_00, Offer: "offer_1", LeadID: "lead_9", Service: lead.HVAC}); !costs || charge != want {
		t.Errorf("charged %+v (%v)", charge, costs)
	}
	if credit, costs := o.Credit(sample(), noon); !costs || credit.Amount != -45_00 || credit.Kind != buyer.EntryReturn {
		t.Errorf("given back %+v (%v)", credit, costs)
	}
	o.Price, o.LeadID = 0, ""
	if free, costs := o.Charge(sample(), noon); costs || free.LeadID != "lead_1" {
		t.Errorf("a free lead: %+v (%v)", free, costs)
	}
}
