package entered_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
)

func TestTermsNormalized(t *testing.T) {
	terms, err := entered.Terms{
		Name: new(" Cool Air "), URL: new("https://buyer.example.com/leads"), Services: new("Handyman, HVAC,house-cleaning,hvac"),
		ZIPs: new("90210, 331*\n331*"), ExcludeZIPs: new("33199"), States: new("ga,FL"),
		Hours: new("mon-fri 08:00-18:00, sat 09:00-13:00"), TimeZone: new("America/New_York"),
		CapHour: new(1), CapDay: new(2), CapMonth: new(3), CapTotal: new(4), Priority: new(10), MoneyCapDay: new("500"), MoneyCapMonth: new("$9000.50"),
		Price: new("HVAC=45.00, handyman=20; house-cleaning=0"), CreditLimit: new(" 0 "),
		ReturnDays: new(14), ApproveReturns: new("Duplicate, bad-contact,duplicate"), DenyReturns: new("other"), Payout: new("$25"), PayoutPublic: new(true),
		OwnFormOnly: new(true), PlausiblePhonesOnly: new(true), NoDuplicates: new(true), StreetRequired: new(true), OneStep: new(true), AcceptPlain: new(true),
	}.Begin(checkURL)
	want := buyer.Terms{
		Name: "Cool Air", URL: "https://buyer.example.com/leads", Services: []lead.Service{lead.HouseCleaning, lead.HVAC, lead.Handyman},
		Area:  buyer.Area{ZIPs: "331*,90210", Excluded: "33199", States: []string{"FL", "GA"}},
		Hours: buyer.Hours{Text: "mon-fri 08:00-18:00, sat 09:00-13:00", Zone: "America/New_York"},
		Caps:  buyer.Caps{Hour: 1, Day: 2, Month: 3, Total: 4, MoneyDay: 500_00, MoneyMonth: 9000_50}, Priority: 10, Payout: "$25", PayoutShown: true,
		Demands: buyer.Demands{OwnForm: true, PlausiblePhone: true, NoDuplicates: true, Street: true}, OneStep: true, PlainAccept: true,
		Prices: map[lead.Service]buyer.Cents{lead.HouseCleaning: 0, lead.HVAC: 45_00, lead.Handyman: 20_00}, CreditLimit: new(buyer.Cents(0)),
		Returns: buyer.ReturnTerms{Days: 14, Approve: []lead.ReturnCode{lead.ReturnBadContact, lead.ReturnDuplicate}, Deny: []lead.ReturnCode{lead.ReturnOther}},
	}
	if diff := cmp.Diff(want, terms); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestNewBuyerDefaults(t *testing.T) {
	terms, err := hvacTerms(noTerms).Begin(checkURL)
	want := buyer.Terms{Name: "Cool Air", URL: "https://buyer.example.com/leads", Services: []lead.Service{lead.HVAC}, Priority: 100}
	if diff := cmp.Diff(want, terms); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestAllServices(t *testing.T) {
	all, err := entered.Services("all")
	if err != nil || len(all) != len(lead.Services)-1 {
		t.Errorf("got %v, %v", all, err)
	}
	for _, s := range all {
		if s == lead.Plumbing {
			t.Error("plumbing is among them")
		}
	}
}

// TestEditChangesOnlyGivenTerms sets and clears every term, and checks that no other term changes.
func TestEditChangesOnlyGivenTerms(t *testing.T) {
	full, err := hvacTerms(func(in *entered.Terms) {
		in.Hours, in.TimeZone, in.CapDay, in.Payout, in.OneStep = new("mon 08:00-18:00"), new("America/Chicago"), new(5), new("$25"), new(true)
	}).Begin(checkURL)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		draft  entered.Terms
		change func(*buyer.Terms)
	}{
		"nothing":         {entered.Terms{}, func(*buyer.Terms) {}},
		"a name":          {entered.Terms{Name: new("Warm Air")}, func(t *buyer.Terms) { t.Name = "Warm Air" }},
		"hours away":      {entered.Terms{Hours: new("")}, func(t *buyer.Terms) { t.Hours.Text = "" }},
		"hours, always":   {entered.Terms{Hours: new("always")}, func(t *buyer.Terms) { t.Hours.Text = "" }},
		"a cap away":      {entered.Terms{CapDay: new(0)}, func(t *buyer.Terms) { t.Caps.Day = 0 }},
		"a payout away":   {entered.Terms{Payout: new("")}, func(t *buyer.Terms) { t.Payout = "" }},
		"a switch off":    {entered.Terms{OneStep: new(false)}, func(t *buyer.Terms) { t.OneStep = false }},
		"a switch on":     {entered.Terms{AcceptPlain: new(true)}, func(t *buyer.Terms) { t.PlainAccept = true }},
		"the first place": {entered.Terms{Priority: new(0)}, func(t *buyer.Terms) { t.Priority = 0 }},
		"a smaller area":  {entered.Terms{ZIPs: new("331*")}, func(t *buyer.Terms) { t.Area.ZIPs = "331*" }},
	} {
		t.Run(name, func(t *testing.T) {
			want := full
			c.change(&want)
			got, err := c.draft.Change(full, checkURL)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// TestTermErrors wants one line that names the term, what was given and what is accepted.
func TestTermErrors(t *testing.T) {
	for _, c := range []struct {
		set                   func(*entered.Terms)
		term, given, accepted string
	}{
		{func(in *entered.Terms) { in.Name = nil }, "name", "missing", "what you call"},
		{func(in *entered.Terms) { in.Name = new(" ") }, "name", "needs a name", "1 to 100 characters"},
		{func(in *entered.Terms) { in.Name = new("two\nlines") }, "name", `two\nlines`, "on one line"},
		{func(in *entered.Terms) { in.Name = new(strings.Repeat("x", 101)) }, "name", "xxx", "at most 100"},
		{func(in *entered.Terms) { in.URL = nil }, "url", "missing", "https://buyer.example.com"},
		{func(in *entered.Terms) { in.URL = new("http://10.0.0.1/leads?key=k1") }, "url", `"http://10.0.0.1"`, "https://"},
		{func(in *entered.Terms) { in.Services = nil }, "services", "missing", "hvac"},
		{func(in *entered.Terms) { in.Services = new(",") }, "services", `","`, "hvac"},
		{func(in *entered.Terms) { in.Services = new("hvac,hvca") }, "services", `"hvca"`, "hvac, handyman"},
		{func(in *entered.Terms) { in.Services = new("hvac,plumbing") }, "services", "plumbing", "dial a number"},
		{func(in *entered.Terms) { in.ZIPs = new("331*,33") }, "zips", `"33"`, "five digits"},
		{func(in *entered.Terms) { in.ExcludeZIPs = new("miami") }, "exclude-zips", `"miami"`, "five digits"},
		{func(in *entered.Terms) { in.States = new("FL,Flo") }, "states", `"Flo"`, "FL or Florida"},
		{func(in *entered.Terms) { in.Hours = new("mon 8-18") }, "hours", `"mon 8-18"`, "mon-fri 08:00-18:00"},
		{func(in *entered.Terms) { in.Hours = new("mon 08:00-18:00") }, "time-zone", "missing", "America/New_York"},
		{func(in *entered.Terms) { in.TimeZone = new("Eastern") }, "time-zone", `"Eastern"`, "America/New_York"},
		{func(in *entered.Terms) { in.CapHour = new(-1) }, "cap-hour", "-1", "from 0"},
		{func(in *entered.Terms) { in.CapDay = new(-1) }, "cap-day", "-1", "from 0"},
		{func(in *entered.Terms) { in.CapMonth = new(-1) }, "cap-month", "-1", "from 0"},
		{func(in *entered.Terms) { in.CapTotal = new(-1) }, "cap-total", "-1", "from 0"},
		{func(in *entered.Terms) { in.CapTotal = new(2_000_000_000) }, "cap-total", "2000000000", "to 1000000000"},
		{func(in *entered.Terms) { in.MoneyCapDay = new("-5") }, "money-cap-day", "below zero", "0 or more"},
		{func(in *entered.Terms) { in.MoneyCapMonth = new("much") }, "money-cap-month", `"much"`, "45.00"},
		{func(in *entered.Terms) { in.MoneyCapMonth = new("100") }, "price", "missing", "hvac=45.00"},
		{func(in *entered.Terms) { in.CreditLimit = new("0") }, "price", "missing", "hvac=45.00"},
		{func(in *entered.Terms) { in.CreditLimit = new("1,00") }, "credit-limit", `"1,00"`, "none for no limit"},
		{func(in *entered.Terms) { in.Price = new("cheap") }, "price", `"cheap"`, "hvac=45.00"},
		{func(in *entered.Terms) { in.Price = new("") }, "price", `""`, "or none"},
		{func(in *entered.Terms) { in.Price = new("hvac=45.5") }, "price", `"45.5"`, "45.00"},
		{func(in *entered.Terms) { in.Price = new("hvac=-1") }, "price", "below zero", "0 or more"},
		{func(in *entered.Terms) { in.Price = new("hvac=1,hvac=2") }, "price", "hvac has two prices", "write one"},
		{func(in *entered.Terms) { in.Price = new("plumbing=1") }, "price", "plumbing", "dial a number"},
		{func(in *entered.Terms) { in.Price = new("handyman=20.00") }, "price", `"hvac" has no price`, "0.00"},
		{func(in *entered.Terms) { in.ReturnDays = new(0) }, "return-days", "0", "from 1 to 90"},
		{func(in *entered.Terms) { in.ReturnDays = new(91) }, "return-days", "91", "from 1 to 90"},
		{func(in *entered.Terms) { in.ApproveReturns = new("bad_contact,mood") }, "approve-returns", `"mood"`, "bad_contact, duplicate"},
		{func(in *entered.Terms) { in.DenyReturns = new(",") }, "deny-returns", `","`, "or none"},
		{func(in *entered.Terms) { in.ApproveReturns, in.DenyReturns = new("other"), new("other") }, "deny-returns", "other", "list it once"},
		{func(in *entered.Terms) { in.Priority = new(-5) }, "priority", "-5", "from 0"},
		{func(in *entered.Terms) { in.MaxInFlight = new(0) }, "max-in-flight", "0", "from 1 to 256"},
		{func(in *entered.Terms) { in.MaxInFlight = new(257) }, "max-in-flight", "257", "from 1 to 256"},
		{func(in *entered.Terms) { in.Payout = new("a\tb") }, "payout", `a\tb`, "on one line"},
		{func(in *entered.Terms) { in.PayoutPublic = new(true) }, "payout-public", "no payout", "write one"},
		{func(in *entered.Terms) { in.AcceptPlain = new(true) }, "accept-plain", "only with", "one-step"},
		{func(in *entered.Terms) { in.ZIPs, in.States = new("331*"), new("NY") }, "", "zips, exclude-zips and states", "no ZIP code"},
	} {
		_, err := hvacTerms(c.set).Begin(checkURL)
		if err == nil {
			t.Errorf("%s: nothing is said", c.term)
			continue
		}
		line, flag := err.Error(), ""
		if c.term != "" {
			flag = "--" + c.term + ": "
		}
		if !strings.HasPrefix(line, flag) || !strings.Contains(line, c.given) || !strings.Contains(line, c.accepted) || strings.Contains(line, "\n") {
			t.Errorf("%s: %q", c.term, line)
		}
		if strings.Contains(line, "k1") {
			t.Errorf("a key in an address is repeated: %q", line)
		}
	}
}

// TestOnePrice reads one amount as the price of every service that the buyer takes, mentioned now or before.
func TestOnePrice(t *testing.T) {
	for text, want := range map[string]map[lead.Service]buyer.Cents{
		"45":                      {lead.HVAC: 45_00, lead.Handyman: 45_00},
		" $45.50 ":                {lead.HVAC: 45_50, lead.Handyman: 45_50},
		"1,200":                   {lead.HVAC: 1200_00, lead.Handyman: 1200_00},
		"0":                       {lead.HVAC: 0, lead.Handyman: 0},
		"hvac=45.00, handyman=20": {lead.HVAC: 45_00, lead.Handyman: 20_00},
		"none":                    nil,
	} {
		added, err := hvacTerms(func(in *entered.Terms) { in.Services, in.Price = new("hvac,handyman"), &text }).Begin(checkURL)
		if diff := cmp.Diff(want, added.Prices); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", text, err, diff)
		}
		added.Prices = nil
		edited, err := entered.Terms{Price: &text}.Change(added, checkURL)
		if diff := cmp.Diff(want, edited.Prices); err != nil || diff != "" {
			t.Errorf("%s, edited: %v (-want +got):\n%s", text, err, diff)
		}
	}
}

func TestStatesByName(t *testing.T) {
	for text, want := range map[string][]string{
		"fl":                        {"FL"},
		"Florida, new york":         {"FL", "NY"},
		"West Virginia GA virginia": {"GA", "VA", "WV"},
		"district of columbia;DC":   {"DC"},
	} {
		terms, err := hvacTerms(func(in *entered.Terms) { in.States = &text }).Begin(checkURL)
		if diff := cmp.Diff(want, terms.Area.States); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", text, err, diff)
		}
	}
}

func TestDescribeArea(t *testing.T) {
	for want, area := range map[string]buyer.Area{
		"everywhere":              {},
		"everywhere in FL GA":     {ZIPs: "*", States: []string{"FL", "GA"}},
		"331*":                    {ZIPs: "331*"},
		"3 patterns less 2 in FL": {ZIPs: "33139,33140,331*", Excluded: "33141,33142", States: []string{"FL"}},
		"everywhere less 1":       {Excluded: "00501"},
		"2 patterns":              {ZIPs: "331*,90210"},
	} {
		if got := entered.Area(area); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func checkURL(raw string) error {
	if !strings.HasPrefix(raw, "https://") {
		return errors.New("the address must begin with https://")
	}
	return nil
}

// hvacTerms returns the terms of a buyer of HVAC leads everywhere, plus whatever set adds.
func hvacTerms(set func(*entered.Terms)) entered.Terms {
	in := entered.Terms{Name: new("Cool Air"), URL: new("https://buyer.example.com/leads"), Services: new("hvac")}
	set(&in)
	return in
}

func noTerms(*entered.Terms) {}
