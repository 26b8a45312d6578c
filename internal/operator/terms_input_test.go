package operator_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator"
)

func TestTermsNormalized(t *testing.T) {
	terms, err := operator.TermsInput{
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
	all, err := operator.Services("all")
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
	full, err := hvacTerms(func(in *operator.TermsInput) {
		in.Hours, in.TimeZone, in.CapDay, in.Payout, in.OneStep = new("mon 08:00-18:00"), new("America/Chicago"), new(5), new("$25"), new(true)
	}).Begin(checkURL)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		draft  operator.TermsInput
		change func(*buyer.Terms)
	}{
		"nothing":         {operator.TermsInput{}, func(*buyer.Terms) {}},
		"a name":          {operator.TermsInput{Name: new("Warm Air")}, func(t *buyer.Terms) { t.Name = "Warm Air" }},
		"hours away":      {operator.TermsInput{Hours: new("")}, func(t *buyer.Terms) { t.Hours.Text = "" }},
		"hours, always":   {operator.TermsInput{Hours: new("always")}, func(t *buyer.Terms) { t.Hours.Text = "" }},
		"a cap away":      {operator.TermsInput{CapDay: new(0)}, func(t *buyer.Terms) { t.Caps.Day = 0 }},
		"a payout away":   {operator.TermsInput{Payout: new("")}, func(t *buyer.Terms) { t.Payout = "" }},
		"a switch off":    {operator.TermsInput{OneStep: new(false)}, func(t *buyer.Terms) { t.OneStep = false }},
		"a switch on":     {operator.TermsInput{AcceptPlain: new(true)}, func(t *buyer.Terms) { t.PlainAccept = true }},
		"the first place": {operator.TermsInput{Priority: new(0)}, func(t *buyer.Terms) { t.Priority = 0 }},
		"a smaller area":  {operator.TermsInput{ZIPs: new("331*")}, func(t *buyer.Terms) { t.Area.ZIPs = "331*" }},
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
		set                   func(*operator.TermsInput)
		term, given, accepted string
	}{
		{func(in *operator.TermsInput) { in.Name = nil }, "name", "missing", "what you call"},
		{func(in *operator.TermsInput) { in.Name = new(" ") }, "name", "needs a name", "1 to 100 characters"},
		{func(in *operator.TermsInput) { in.Name = new("two\nlines") }, "name", `two\nlines`, "on one line"},
		{func(in *operator.TermsInput) { in.Name = new(strings.Repeat("x", 101)) }, "name", "xxx", "at most 100"},
		{func(in *operator.TermsInput) { in.URL = nil }, "url", "missing", "https://buyer.example.com"},
		{func(in *operator.TermsInput) { in.URL = new("http://10.0.0.1/leads?key=k1") }, "url", `"http://10.0.0.1"`, "https://"},
		{func(in *operator.TermsInput) { in.Services = nil }, "services", "missing", "hvac"},
		{func(in *operator.TermsInput) { in.Services = new(",") }, "services", `","`, "hvac"},
		{func(in *operator.TermsInput) { in.Services = new("hvac,hvca") }, "services", `"hvca"`, "hvac, handyman"},
		{func(in *operator.TermsInput) { in.Services = new("hvac,plumbing") }, "services", "plumbing", "dial a number"},
		{func(in *operator.TermsInput) { in.ZIPs = new("331*,33") }, "zips", `"33"`, "five digits"},
		{func(in *operator.TermsInput) { in.ExcludeZIPs = new("miami") }, "exclude-zips", `"miami"`, "five digits"},
		{func(in *operator.TermsInput) { in.States = new("FL,Flo") }, "states", `"Flo"`, "FL or Florida"},
		{func(in *operator.TermsInput) { in.Hours = new("mon 8-18") }, "hours", `"mon 8-18"`, "mon-fri 08:00-18:00"},
		{func(in *operator.TermsInput) { in.Hours = new("mon 08:00-18:00") }, "time-zone", "missing", "America/New_York"},
		{func(in *operator.TermsInput) { in.TimeZone = new("Eastern") }, "time-zone", `"Eastern"`, "America/New_York"},
		{func(in *operator.TermsInput) { in.CapHour = new(-1) }, "cap-hour", "-1", "from 0"},
		{func(in *operator.TermsInput) { in.CapDay = new(-1) }, "cap-day", "-1", "from 0"},
		{func(in *operator.TermsInput) { in.CapMonth = new(-1) }, "cap-month", "-1", "from 0"},
		{func(in *operator.TermsInput) { in.CapTotal = new(-1) }, "cap-total", "-1", "from 0"},
		{func(in *operator.TermsInput) { in.CapTotal = new(2_000_000_000) }, "cap-total", "2000000000", "to 1000000000"},
		{func(in *operator.TermsInput) { in.MoneyCapDay = new("-5") }, "money-cap-day", "below zero", "0 or more"},
		{func(in *operator.TermsInput) { in.MoneyCapMonth = new("much") }, "money-cap-month", `"much"`, "45.00"},
		{func(in *operator.TermsInput) { in.MoneyCapMonth = new("100") }, "price", "missing", "hvac=45.00"},
		{func(in *operator.TermsInput) { in.CreditLimit = new("0") }, "price", "missing", "hvac=45.00"},
		{func(in *operator.TermsInput) { in.CreditLimit = new("1,00") }, "credit-limit", `"1,00"`, "none for no limit"},
		{func(in *operator.TermsInput) { in.Price = new("cheap") }, "price", `"cheap"`, "hvac=45.00"},
		{func(in *operator.TermsInput) { in.Price = new("") }, "price", `""`, "or none"},
		{func(in *operator.TermsInput) { in.Price = new("hvac=45.5") }, "price", `"45.5"`, "45.00"},
		{func(in *operator.TermsInput) { in.Price = new("hvac=-1") }, "price", "below zero", "0 or more"},
		{func(in *operator.TermsInput) { in.Price = new("hvac=1,hvac=2") }, "price", "hvac has two prices", "write one"},
		{func(in *operator.TermsInput) { in.Price = new("plumbing=1") }, "price", "plumbing", "dial a number"},
		{func(in *operator.TermsInput) { in.Price = new("handyman=20.00") }, "price", `"hvac" has no price`, "0.00"},
		{func(in *operator.TermsInput) { in.ReturnDays = new(0) }, "return-days", "0", "from 1 to 90"},
		{func(in *operator.TermsInput) { in.ReturnDays = new(91) }, "return-days", "91", "from 1 to 90"},
		{func(in *operator.TermsInput) { in.ApproveReturns = new("bad_contact,mood") }, "approve-returns", `"mood"`, "bad_contact, duplicate"},
		{func(in *operator.TermsInput) { in.DenyReturns = new(",") }, "deny-returns", `","`, "or none"},
		{func(in *operator.TermsInput) { in.ApproveReturns, in.DenyReturns = new("other"), new("other") }, "deny-returns", "other", "list it once"},
		{func(in *operator.TermsInput) { in.Priority = new(-5) }, "priority", "-5", "from 0"},
		{func(in *operator.TermsInput) { in.MaxInFlight = new(0) }, "max-in-flight", "0", "from 1 to 256"},
		{func(in *operator.TermsInput) { in.MaxInFlight = new(257) }, "max-in-flight", "257", "from 1 to 256"},
		{func(in *operator.TermsInput) { in.Payout = new("a\tb") }, "payout", `a\tb`, "on one line"},
		{func(in *operator.TermsInput) { in.PayoutPublic = new(true) }, "payout-public", "no payout", "write one"},
		{func(in *operator.TermsInput) { in.AcceptPlain = new(true) }, "accept-plain", "only with", "one-step"},
		{func(in *operator.TermsInput) { in.ZIPs, in.States = new("331*"), new("NY") }, "", "zips, exclude-zips and states", "no ZIP code"},
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
		added, err := hvacTerms(func(in *operator.TermsInput) { in.Services, in.Price = new("hvac,handyman"), &text }).Begin(checkURL)
		if diff := cmp.Diff(want, added.Prices); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", text, err, diff)
		}
		added.Prices = nil
		edited, err := operator.TermsInput{Price: &text}.Change(added, checkURL)
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
		terms, err := hvacTerms(func(in *operator.TermsInput) { in.States = &text }).Begin(checkURL)
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
		if got := operator.Area(area); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
