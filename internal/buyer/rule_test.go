package buyer_test

import (
	"slices"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// sample returns a lead that meets every demand.
func sample() lead.Lead {
	l := lead.Lead{ID: "lead_1", CreatedAt: noon, Evidence: lead.Evidence{Channel: lead.ChannelForm, Consent: lead.ConsentRef{Version: "shown-1", Hash: "ab12"}}}
	l.Request.Job = lead.Job{Service: lead.HVAC, ZIP: "33139", Consent: true}
	l.Request.Contact = lead.Contact{Name: "Pat Example", Phone: "+13055550123", Street: "12 Example Street"}
	return l
}

// Exclude returns the first rule that excludes a buyer, in this order, and when it may no longer apply.
func TestExclude(t *testing.T) {
	var (
		b     = buyer.Buyer{ID: "buyer_1", State: buyer.Paused, Terms: buyer.Terms{Services: []lead.Service{lead.Handyman}}}
		l     = sample()
		facts = buyer.Facts{
			Duplicate: true, Round: noon.Add(-2 * time.Hour), Health: buyer.Health{OpenUntil: noon.Add(time.Minute), QuietUntil: noon.Add(time.Hour)},
			Offers: slices.Repeat([]buyer.Offer{{At: noon.Add(-time.Hour), State: buyer.OfferDeclined, Code: buyer.CodeOther}}, buyer.MaxOffers),
			Used:   func(buyer.Period) (buyer.Usage, error) { return buyer.Usage{Leads: 7, Money: 70_00}, nil },
		}
	)
	b.Terms.Area.ZIPs, b.Terms.Demands.NoDuplicates, b.Terms.Caps.Day = "90210", true, 7
	b.Terms.Payout, b.Terms.PayoutShown = "$25", true
	b.Terms.Prices, b.Terms.Caps.MoneyDay, b.Terms.CreditLimit, b.Funds = map[lead.Service]buyer.Cents{lead.HVAC: 10_00}, 79_99, new(buyer.Cents), 79_99
	b.Terms.HeldSince = noon.Add(time.Second)
	b.Terms.Practice, l.Request.Contact.Phone = true, "+13055550200"
	b.Terms.Hours = buyer.Hours{Text: "wed 08:00-18:00", Zone: newYork} // noon is a Tuesday
	l.Marks = []lead.Mark{lead.Duplicate}
	for _, step := range []struct {
		rule  string
		until time.Time
		lift  func()
	}{
		{buyer.RuleState, time.Time{}, func() { b.State = buyer.Active }},
		{buyer.RuleService, time.Time{}, func() { b.Terms.Services = []lead.Service{lead.HVAC} }},
		{buyer.RuleArea, time.Time{}, func() { b.Terms.Area.ZIPs = "331*" }},
		{buyer.RulePractice, time.Time{}, func() { l.Request.Contact.Phone = "+13055550123" }},
		{buyer.RuleHeld, time.Time{}, func() { b.Terms.HeldSince = l.CreatedAt }}, // leads from exactly then are included
		{buyer.RuleDemands, time.Time{}, func() { l.Marks = nil }},
		{buyer.RuleDeclined, time.Time{}, func() {
			for i := range facts.Offers {
				facts.Offers[i].Code = buyer.CodeCap
			}
		}},
		{buyer.RuleDuplicate, time.Time{}, func() { facts.Duplicate = false }},
		{buyer.RuleOffers, time.Time{}, func() { facts.Offers = facts.Offers[:2] }},
		{buyer.RuleTried, noon.Add(3 * time.Hour), func() { facts.Round = noon }}, // asked in this round
		{buyer.RuleTried, noon.Add(3 * time.Hour), func() { facts.Offers = nil }}, // asked an hour ago, for the second time
		{buyer.RuleHours, at(t, newYork, "2026-03-11 08:00"), func() { b.Terms.Hours.Text = "" }},
		{buyer.RuleQuiet, noon.Add(time.Hour), func() { facts.Health.QuietUntil = time.Time{} }},
		{buyer.RuleBreaker, noon.Add(time.Minute), func() { facts.Health = buyer.Health{} }},
		{buyer.RuleCap, at(t, newYork, "2026-03-11 00:00"), func() { b.Terms.Caps.Day = 8 }},
		{buyer.RuleMoneyCap, at(t, newYork, "2026-03-11 00:00"), func() { b.Terms.Caps.MoneyDay = 80_01 }},
		{buyer.RuleBalance, time.Time{}, func() { b.Funds = 80_00 }},
		{"", time.Time{}, nil},
	} {
		x, err := buyer.NewCoverage([]buyer.Buyer{b}).Find(b.ID).Exclude(l, facts, noon)
		if err != nil || x.Rule != step.rule || !x.Until.Equal(step.until) || (x.Reason == "") != (x.Rule == "") {
			t.Fatalf("%+v, %v; want %q until %v", x, err, step.rule, step.until)
		}
		if step.lift != nil {
			step.lift()
		}
	}
	for _, state := range []buyer.State{buyer.Testing, buyer.Paused, buyer.Off, buyer.Removed} {
		b.State = state
		c := buyer.NewCoverage([]buyer.Buyer{b})
		if x, err := c.Find(b.ID).Exclude(l, facts, noon); err != nil || x.Rule != buyer.RuleState || x.Reason != state.Explained() {
			t.Errorf("%s: %+v, %v", state, x, err)
		}
		if c.Covers(lead.HVAC, "33139", "+13055550123") || len(c.Services()) > 0 || c.PayoutShown(lead.HVAC, "33139") != nil {
			t.Errorf("%s: it counts as somebody to be asked", state)
		}
	}
}

func TestDemands(t *testing.T) {
	for name, c := range map[string]struct {
		demands buyer.Demands
		change  func(*lead.Lead)
		met     bool
	}{
		"none":                             {buyer.Demands{}, func(l *lead.Lead) { l.Evidence.Consent.Version = "stated-1" }, true},
		"all, and all met":                 {buyer.Demands{OwnForm: true, PlausiblePhone: true, NoDuplicates: true, Street: true}, func(*lead.Lead) {}, true},
		"another mark":                     {buyer.Demands{PlausiblePhone: true, NoDuplicates: true}, func(l *lead.Lead) { l.Marks = []lead.Mark{lead.PastDate} }, true},
		"our own form, and consent stated": {buyer.Demands{OwnForm: true}, func(l *lead.Lead) { l.Evidence.Consent.Version = "stated-1" }, false},
		"our own form, and a word like it": {buyer.Demands{OwnForm: true}, func(l *lead.Lead) { l.Evidence.Consent.Version = "shown" }, false},
		"our own form, and no consent":     {buyer.Demands{OwnForm: true}, func(l *lead.Lead) { l.Evidence.Consent = lead.ConsentRef{} }, false},
		"a plausible phone, and it is not": {buyer.Demands{PlausiblePhone: true}, func(l *lead.Lead) { l.Marks = []lead.Mark{lead.PastDate, lead.ImplausiblePhone} }, false},
		"no duplicates, and it is one":     {buyer.Demands{NoDuplicates: true}, func(l *lead.Lead) { l.Marks = []lead.Mark{lead.Duplicate} }, false},
		"a street, and there is none":      {buyer.Demands{Street: true}, func(l *lead.Lead) { l.Request.Contact.Street = "" }, false},
	} {
		l := sample()
		c.change(&l)
		x, err := newCandidate(func(terms *buyer.Terms) { terms.Demands = c.demands }).Exclude(l, buyer.Facts{}, noon)
		if err != nil || (x.Rule == "") != c.met || !c.met && x.Rule != buyer.RuleDemands {
			t.Errorf("%s: %+v, %v", name, x, err)
		}
	}
}

func TestGradeOfConsent(t *testing.T) {
	for ref, want := range map[lead.ConsentRef]buyer.Grade{
		{Version: "shown-2", Hash: "ab"}: buyer.Shown, {Version: "stated-2", Hash: "ab"}: buyer.Stated, {Version: "", Hash: "ab"}: buyer.Stated,
		{}: "", {Version: "shown-2"}: "",
	} {
		if got := buyer.GradeOf(lead.Evidence{Consent: ref}); got != want {
			t.Errorf("%+v is %q, want %q", ref, got, want)
		}
	}
}

func TestOfferStateCounts(t *testing.T) {
	for state, want := range map[buyer.OfferState]bool{
		buyer.OfferOpen: true, buyer.OfferAccepted: true, buyer.OfferDelivered: true, buyer.OfferLost: true, buyer.OfferDeclined: false, buyer.OfferFailed: false,
		buyer.OfferReturned: false,
	} {
		if state.Counts() != want {
			t.Errorf("%s counts: %v", state, state.Counts())
		}
	}
}
