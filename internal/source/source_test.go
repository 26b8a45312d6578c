package source_test

import (
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/source"
)

var noon = time.Date(2026, time.November, 5, 12, 0, 0, 0, time.UTC)

func TestWhatAKeyIsWorth(t *testing.T) {
	partner := func(change func(*source.Source)) *source.Source {
		s := &source.Source{Key: "src_1", State: source.Active, Terms: source.Terms{Origins: []string{"https://partner.example.com"}}}
		change(s)
		return s
	}
	active, blocked := func(*source.Source) {}, func(s *source.Source) { s.State = source.Blocked }
	held := func(s *source.Source) { s.State, s.Terms.Hold = source.Blocked, true }
	everywhere := func(s *source.Source) { s.Terms.Origins = nil }
	for _, c := range []struct {
		name   string
		source *source.Source
		origin string
		own    bool
		want   lead.Mark
	}{
		{"no such source", nil, "", true, lead.SourceUnknown},
		{"our own form", partner(active), "https://foyer.example.com", true, ""},
		{"the partner's website", partner(active), "https://partner.example.com", false, ""},
		{"a program", partner(active), "", false, ""},
		{"another website", partner(active), "https://other.example.com", false, lead.SourceBlocked},
		{"any website may", partner(everywhere), "https://other.example.com", false, ""},
		{"blocked", partner(blocked), "", true, lead.SourceBlocked},
		{"blocked and held", partner(held), "", true, lead.SourceHeld},
	} {
		if got := source.Mark(c.source, c.origin, c.own); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestCosts(t *testing.T) {
	prices := []source.Price{{Since: noon, Cost: 5_00}, {Since: noon.Add(time.Hour), Cost: 7_00, CapDay: 2}, {Since: noon.Add(2 * time.Hour), Cost: 9_00, CapMonth: 10}, {Since: noon.Add(3 * time.Hour)}}
	for _, c := range []struct {
		name             string
		at               time.Duration
		paidDay, paidMon int64
		want             buyer.Cents
	}{
		{"before there was a price", -time.Second, 0, 0, 0},
		{"from the moment on", 0, 1000, 1000, 5_00},
		{"until the next", time.Hour - time.Microsecond, 0, 0, 5_00},
		{"under the cap of the day", time.Hour, 1, 1000, 7_00},
		{"over the cap of the day", time.Hour, 2, 2, 0},
		{"under the cap of the month", 2 * time.Hour, 1000, 9, 9_00},
		{"over the cap of the month", 2 * time.Hour, 0, 10, 0},
		{"no longer", 3 * time.Hour, 0, 0, 0},
	} {
		if got := source.CostAt(prices, noon.Add(c.at), c.paidDay, c.paidMon); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	for _, o := range buyer.Outcomes {
		free := o == buyer.OutcomeCalled || o == buyer.OutcomeWithheld || o == buyer.OutcomeClosed
		if source.Costs(o) == free {
			t.Errorf("%s: costs %t", o, !free)
		}
	}
}

// The names of campaigns are counted, and must not tell who a person is.
func TestCampaign(t *testing.T) {
	for _, c := range []struct {
		given lead.Campaign
		want  string
	}{
		{lead.Campaign{}, ""},
		{lead.Campaign{Term: "plumber", Content: "blue"}, ""},
		{lead.Campaign{Source: "google", Medium: "cpc", Name: "spring 2026", Term: "pat", Content: "pat"}, "google / cpc / spring 2026"},
		{lead.Campaign{Name: "spring-20261105"}, "(none) / (none) / spring-20261105"},
		{lead.Campaign{Name: "120210987654321098"}, "(none) / (none) / 120210987654321098"},
		{lead.Campaign{Name: "20240101123"}, "(none) / (none) / 20240101123"},
		{lead.Campaign{Name: "a@b"}, "(none) / (none) / a@b"},
		{lead.Campaign{Name: "pat%40example.com"}, "(none) / (none) / (not shown)"},
		{lead.Campaign{Source: "letter", Name: "pat@example.com"}, "letter / (none) / (not shown)"},
		{lead.Campaign{Source: "(305) 555-0123"}, "(not shown) / (none) / (none)"},
		{lead.Campaign{Medium: "+1.305.555.0123"}, "(none) / (not shown) / (none)"},
		{lead.Campaign{Source: "sms", Name: "to 3055550123 today"}, "sms / (none) / (not shown)"},
	} {
		if got := source.Campaign(c.given); got != c.want {
			t.Errorf("%+v: %q, want %q", c.given, got, c.want)
		}
	}
}

func TestConsent(t *testing.T) {
	s := source.Source{Key: "src_1", Terms: source.Terms{Consent: "Call me."}}
	shown, stated := s.ConsentShown(), s.ConsentStated()
	if shown.Version != "shown-partner-"+shown.Ref().Hash[:8] || stated.Version != "stated-partner-"+shown.Ref().Hash[:8] || shown.Text != "Call me." || shown.Ref().Hash != stated.Ref().Hash {
		t.Errorf("%+v %+v", shown, stated)
	}
}
