package operator_test

import (
	"errors"
	"strings"
	"testing"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
)

// There is one practice buyer at a time. It is active at once, is asked last, pays nothing, and can be paused, resumed and removed.
func TestStartPractice(t *testing.T) {
	o := newTestOperator(t)
	usual := o.add(noTerms)
	b, err := o.StartPractice(t.Context(), ada)
	if err != nil {
		t.Fatal(err)
	}
	if b.State != buyer.Active || !b.Terms.Practice || b.Terms.URL != buyer.PracticeURL || b.Terms.Priority <= usual.Terms.Priority || len(b.Terms.Prices) > 0 || !b.Terms.Takes(lead.Other) || len(b.Secrets) != 1 {
		t.Errorf("it is %+v", b)
	}
	if _, err := o.StartPractice(t.Context(), ada); err == nil || !strings.Contains(err.Error(), b.ID) {
		t.Errorf("a second one: %v", err)
	}
	if buyers, _, err := o.store.Buyers(t.Context()); err != nil || len(buyers) != 2 {
		t.Errorf("%d buyers, %v", len(buyers), err)
	}
	if _, err := o.Start(t.Context(), ada, b.ID, entered.Held{All: true}); err == nil || !strings.Contains(err.Error(), "practice") {
		t.Errorf("started: %v", err)
	}
	if _, err := o.HeldFor(t.Context(), b.ID, entered.Held{All: true}); err == nil || !strings.Contains(err.Error(), "practice") {
		t.Errorf("held leads counted: %v", err)
	}
	_, paused := o.Pause(t.Context(), ada, b.ID, "")
	_, resumed := o.Resume(t.Context(), ada, b.ID)
	_, _, removed := o.Remove(t.Context(), ada, b.ID, false)
	_, again := o.StartPractice(t.Context(), ada)
	if err := errors.Join(paused, resumed, removed, again); err != nil {
		t.Error(err)
	}
}

// What makes it a practice buyer stays, and no other buyer can have its address.
func TestPracticeTerms(t *testing.T) {
	o := newTestOperator(t)
	usual := o.add(noTerms)
	b, err := o.StartPractice(t.Context(), ada)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		id    string
		in    entered.Terms
		wrong string // the term that is refused, or ""
	}{
		{b.ID, entered.Terms{URL: new("https://buyer.example.com/leads")}, "url"},
		{b.ID, entered.Terms{OneStep: new(true)}, "one-step"},
		{b.ID, entered.Terms{Price: new("all=45.00")}, "price"},
		{b.ID, entered.Terms{Name: new("Trial"), Services: new("hvac"), ZIPs: new("331*"), CapDay: new(5), Priority: new(7)}, ""},
		{usual.ID, entered.Terms{URL: new(buyer.PracticeURL)}, "url"},
	} {
		_, err := o.Edit(t.Context(), ada, c.id, c.in)
		problems, _ := errors.AsType[entered.Problems](err)
		if len(problems) != min(len(c.wrong), 1) || c.wrong != "" && problems[0].Term != c.wrong || c.wrong == "" && err != nil {
			t.Errorf("%s: %v, want a problem with %q", c.id, err, c.wrong)
		}
	}
	if _, _, err := o.Add(t.Context(), ada, operator.New{Terms: hvacTerms(func(in *entered.Terms) { in.Name, in.URL = new("Another"), new(buyer.PracticeURL) })}); err == nil {
		t.Error("another buyer was added with its address")
	}
	if edited, err := o.Show(t.Context(), b.ID); err != nil || !edited.Terms.Practice || edited.Terms.Name != "Trial" {
		t.Errorf("after all that it is %+v, %v", edited.Terms, err)
	}
}

// A route says why the practice buyer is not asked, unless the lead has a made-up number. A lead that is released for nobody else is
// held.
func TestPracticeRouteAndRelease(t *testing.T) {
	o := newTestOperator(t)
	b, err := o.StartPractice(t.Context(), ada)
	if err != nil {
		t.Fatal(err)
	}
	const normal = "+13055550200"
	o.save("lead_normal", func(l *lead.Lead) { l.Status, l.Request.Contact.Phone = lead.Collected, normal })
	o.save("lead_made_up", func(l *lead.Lead) { l.Status = lead.Collected })
	for id, want := range map[string]string{"": buyer.RulePractice, "lead_normal": buyer.RulePractice, "lead_made_up": ""} {
		r, err := o.Route(t.Context(), lead.HVAC, "33139")
		if id != "" {
			r, err = o.RouteLead(t.Context(), id)
		}
		if err != nil || len(r.Stops) != 1 || r.Stops[0].Buyer.ID != b.ID || r.Stops[0].Exclusion.Rule != want {
			t.Errorf("%s: %+v, %v; want the rule %q", id, r.Stops, err, want)
		}
	}
	if l, err := o.Release(t.Context(), ada, "lead_made_up"); err != nil || l.Status != lead.Received {
		t.Errorf("a made-up number: %s, %v", l.Status, err)
	}
	if l, err := o.Release(t.Context(), ada, "lead_normal"); err == nil && l.Status == lead.Received {
		t.Errorf("a normal number is on the market: %s", l.Status)
	}
}
