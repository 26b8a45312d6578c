package operator_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
)

// describeRoute prints a route in a few words: places and names, or names and rules.
func describeRoute(r query.Route) string {
	var words []string
	for _, s := range r.Stops {
		if s.Place > 0 {
			words = append(words, fmt.Sprintf("%d %s", s.Place, s.Buyer.Terms.Name))
		} else {
			words = append(words, s.Buyer.Terms.Name+" "+s.Exclusion.Rule)
		}
	}
	return strings.Join(words, ", ")
}

func (o *testOperator) route(s lead.Service, zip string) query.Route {
	o.t.Helper()
	r, err := o.Route(o.t.Context(), s, zip)
	if err != nil {
		o.t.Fatal(err)
	}
	return r
}

// TestRouteOrder sorts by priority, and then by who was asked least recently.
func TestRouteOrder(t *testing.T) {
	o := newTestOperator(t)
	for name, c := range map[string]struct {
		priority int
		asked    time.Duration
	}{"late": {200, 0}, "lately": {100, time.Minute}, "long ago": {100, time.Hour}, "first": {1, time.Second}, "never": {100, 0}} {
		b := o.add(func(in *entered.Terms) { in.Name, in.Priority = &name, &c.priority })
		if c.asked > 0 {
			o.update(func(tx *store.Tx) error { return tx.PutHealth(b.ID, buyer.Health{Asked: o.now.Add(-c.asked)}) })
		}
	}
	if got := describeRoute(o.route(lead.HVAC, "33139")); got != "1 first, 2 never, 3 long ago, 4 lately, 5 late" {
		t.Error(got)
	}
}

// TestTryRoute sees what edited terms would change, and changes nothing.
func TestTryRoute(t *testing.T) {
	o := newTestOperator(t)
	first := o.add(func(in *entered.Terms) { in.Name, in.Priority = new("first"), new(1) })
	second := o.add(func(in *entered.Terms) { in.Name, in.Priority = new("second"), new(2) })
	o.save("lead_1", func(l *lead.Lead) { l.Status = lead.Collected })
	for _, c := range []struct {
		name  string
		trial operator.Trial
		want  string
	}{
		{"nothing", operator.Trial{}, "1 first, 2 second"},
		{"nothing of a buyer", operator.Trial{Buyer: second.ID}, "1 first, 2 second"},
		{"its priority", operator.Trial{Buyer: second.ID, Terms: entered.Terms{Priority: new(0)}}, "1 second, 2 first"},
		{"its area", operator.Trial{Buyer: first.ID, Terms: entered.Terms{ZIPs: new("9*")}}, "1 second, first area"},
		{"its state", operator.Trial{Buyer: first.ID, State: buyer.Paused}, "1 second, first state"},
	} {
		r, err := o.TryRoute(t.Context(), c.trial, lead.HVAC, "33139")
		ofLead, leadErr := o.TryRouteLead(t.Context(), c.trial, "lead_1")
		if got := describeRoute(r); err != nil || leadErr != nil || got != c.want || describeRoute(ofLead) != c.want {
			t.Errorf("%s: %s, of a lead %s, want %s (%v, %v)", c.name, got, describeRoute(ofLead), c.want, err, leadErr)
		}
	}
	_, err := o.TryRoute(t.Context(), operator.Trial{Buyer: first.ID, Terms: entered.Terms{ZIPs: new("3313")}}, lead.HVAC, "33139")
	if err == nil || !strings.Contains(err.Error(), "3313") {
		t.Errorf("terms that cannot be saved: %v", err)
	}
	if got := describeRoute(o.route(lead.HVAC, "33139")); got != "1 first, 2 second" {
		t.Errorf("after trying: %s", got)
	}
}

// TestRouteExclusions covers the rules that need no lead.
func TestRouteExclusions(t *testing.T) {
	o := newTestOperator(t)
	for rule, c := range map[string]struct {
		set  func(*entered.Terms)
		then func(*testOperator, buyer.Buyer)
		says string
	}{
		buyer.RuleState:   {noTerms, func(o *testOperator, b buyer.Buyer) { _, _ = o.Pause(o.t.Context(), ada, b.ID, "moving house") }, "it is paused: moving house"},
		buyer.RuleService: {func(in *entered.Terms) { in.Services = new("handyman") }, nil, "does not take hvac"},
		buyer.RuleArea:    {func(in *entered.Terms) { in.ExcludeZIPs = new("331*") }, nil, "does not cover 33139"},
		buyer.RuleHours:   {func(in *entered.Terms) { in.Hours, in.TimeZone = new("mon 08:00-18:00"), new("America/New_York") }, nil, "it is closed"},
		buyer.RuleBreaker: {noTerms, func(o *testOperator, b buyer.Buyer) {
			o.update(func(tx *store.Tx) error {
				return tx.PutHealth(b.ID, buyer.Health{Failures: 5, OpenUntil: o.now.Add(time.Minute)})
			})
		}, "did not answer"},
		buyer.RuleCap: {func(in *entered.Terms) { in.CapDay = new(1) }, func(o *testOperator, b buyer.Buyer) {
			o.update(func(tx *store.Tx) error {
				return tx.AddOffer(buyer.Offer{ID: "offer_1", Lead: 1, Buyer: b.ID, At: o.now, State: buyer.OfferAccepted})
			})
		}, "cap of 1 for the day"},
		"": {func(in *entered.Terms) { in.OwnFormOnly, in.StreetRequired = new(true), new(true) }, nil, ""},
	} {
		t.Run(rule, func(t *testing.T) {
			b := o.add(c.set)
			if c.then != nil {
				c.then(o, b)
			}
			stops := o.route(lead.HVAC, "33139").Stops
			got := stops[slices.IndexFunc(stops, func(s query.Stop) bool { return s.Buyer.ID == b.ID })]
			if got.Exclusion.Rule != rule || !strings.Contains(got.Exclusion.Reason, c.says) {
				t.Errorf("got %+v", got.Exclusion)
			}
			if rule == "" && got.Note != "only leads from our own form, only with a street address" {
				t.Errorf("the note is %q", got.Note)
			}
		})
	}
}

func TestRouteOfPlumbing(t *testing.T) {
	o := newTestOperator(t)
	o.add(func(in *entered.Terms) { in.Services = new("all") })
	if r := o.route(lead.Plumbing, "33139"); r.Nobody == "" || len(r.Stops) != 0 {
		t.Errorf("got %+v", r)
	}
}

// TestRouteOfLead includes the lead's history: its offers, and which buyer has a duplicate.
func TestRouteOfLead(t *testing.T) {
	o := newTestOperator(t)
	ids := make(map[string]string)
	add := func(name string) {
		ids[name] = o.add(func(in *entered.Terms) { in.Name, in.StreetRequired = &name, new(name == "wants more") }).ID
	}
	add("has the repeat")
	o.save("lead_repeat", func(l *lead.Lead) { l.Status = lead.Received })
	o.reply = webhook.Outcome{Status: http.StatusOK, Answer: []byte(`{"decision":"accept"}`), Sent: true}
	o.forwardUntil("lead_repeat", lead.Forwarded)
	for _, name := range []string{"declined", "full then", "full now", "asked now", "wants more", "fresh"} {
		add(name)
	}
	o.now = o.now.Add(time.Hour)
	seq := o.save("lead_1", func(l *lead.Lead) { l.Status = lead.Received })
	for _, offer := range []buyer.Offer{
		{ID: "offer_1", Buyer: ids["declined"], At: o.now.Add(-time.Minute), State: buyer.OfferDeclined, Code: buyer.CodeBadContact},
		{ID: "offer_2", Buyer: ids["full then"], At: o.now.Add(-2 * time.Hour), State: buyer.OfferDeclined, Code: buyer.CodeCap},
		{ID: "offer_4", Buyer: ids["full now"], At: o.now.Add(-time.Minute), State: buyer.OfferDeclined, Code: buyer.CodeCap},
		{ID: "offer_3", Buyer: ids["asked now"], At: o.now, State: buyer.OfferFailed},
	} {
		offer.Lead = seq
		o.addOffer(offer)
	}
	o.update(func(tx *store.Tx) error {
		return tx.PutDelivery(buyer.Delivery{Lead: seq, Step: buyer.StepAsk, DueAt: o.now, Since: o.now, Token: 3})
	})
	r, err := o.RouteLead(t.Context(), "lead_1")
	if want := "1 full then, 2 fresh, declined declined, full now tried, asked now tried, wants more demands, has the repeat duplicate"; err != nil || describeRoute(r) != want {
		t.Errorf("got %s, %v; want %s", describeRoute(r), err, want)
	}
	if l, err := o.store.LeadSummary(t.Context(), "lead_1"); err != nil || len(l.Marks) != 0 {
		t.Errorf("reading it left a trace: %v, %v", l.Marks, err)
	}
	_, err = o.RouteLead(t.Context(), "lead_none")
	if lead.KindOf(err) != lead.NotFound {
		t.Errorf("of no lead: %v", err)
	}
}

func TestRouteOfFinishedLeads(t *testing.T) {
	o := newTestOperator(t)
	o.add(noTerms)
	storetest.Suppress(t, o.store, "+13055550100")
	for name, c := range map[string]struct {
		set  func(*lead.Lead)
		says string
	}{
		"forwarded":  {func(l *lead.Lead) { l.Status = lead.Forwarded }, "a buyer has it"},
		"rejected":   {func(l *lead.Lead) { l.Status = lead.Rejected }, "it was closed"},
		"error":      {func(l *lead.Lead) { l.Status = lead.Errored }, "Release it to let others be asked"},
		"plumbing":   {func(l *lead.Lead) { l.Status, l.Request.Service = lead.CallToConnect, lead.Plumbing }, "dials a number"},
		"suppressed": {func(l *lead.Lead) { l.Request.Contact.Phone = "+13055550100" }, "suppressed"},
		"no consent": {func(l *lead.Lead) { l.Request.Consent = false }, "no consent"},
		"held":       {unchanged, ""},
		"blocked":    {func(l *lead.Lead) { l.Marks = []lead.Mark{lead.SourceHeld} }, "names a source that is blocked. Release it"},
		"released":   {func(l *lead.Lead) { l.Marks = []lead.Mark{lead.SourceHeld, lead.Released} }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			o.save("lead_"+name, c.set)
			r, err := o.RouteLead(t.Context(), "lead_"+name)
			if err != nil || !strings.Contains(r.Nobody, c.says) || (r.Nobody == "") != (len(r.Stops) == 1) || (c.says == "") != (r.Nobody == "") {
				t.Errorf("got %+v, %v", r, err)
			}
		})
	}
}
