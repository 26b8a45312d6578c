package main_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/source"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// cells stores a lead of a campaign, a source and a buyer with a name, sold and returned for a price and declined for every code.
func (c cli) cells(name string, price buyer.Cents) {
	c.t.Helper()
	s, now := storetest.Open(c.t, c.database), time.Now()
	l := storetest.Lead("lead_1")
	l.Status, l.CreatedAt, l.Source, l.Evidence.Campaign = lead.Received, now, "src_1", lead.Campaign{Source: name, Medium: name, Name: name}
	if err := s.Update(c.t.Context(), func(tx *store.Tx) error {
		b := storetest.Buyer("buyer_1")
		b.Terms.Name = name
		if err := tx.PutBuyer(b); err != nil {
			return err
		}
		return tx.Sources().Put(source.Source{Key: "src_1", Terms: source.Terms{Name: name, Cost: price / 2}, State: source.Active, CreatedAt: now.Add(-time.Hour), UpdatedAt: now.Add(-time.Hour)})
	}); err != nil {
		c.t.Fatal(err)
	}
	storetest.Save(c.t, s, l)
	if err := s.Update(c.t.Context(), func(tx *store.Tx) error {
		for i, code := range []string{"", "duplicate", "out_of_area", "service_not_offered", "cap", "closed", "bad_contact", "other"} {
			o := buyer.Offer{ID: fmt.Sprint("offer_", i), Lead: 1, Buyer: "buyer_1", At: now, State: buyer.OfferOpen, Price: price}
			a := buyer.Attempt{Lead: 1, Offer: o.ID, Kind: "lead.offered", At: now, Status: 200, Decision: strings.TrimSpace("reject " + code)}
			if err := tx.AddOffer(o); err != nil {
				return err
			}
			if o.State = buyer.OfferDeclined; code == "" {
				o.State, a.Decision = buyer.OfferDelivered, "accept"
				charge, _ := o.Charge(l, now)
				if err := tx.Ledger().Add(charge); err != nil {
					return err
				}
				if err := tx.Returns().Put(buyer.Return{Offer: o.ID, Buyer: o.Buyer, At: now, Code: lead.ReturnNotOffered, State: buyer.ReturnWaiting}); err != nil {
					return err
				}
			}
			if err := tx.PutOffer(o, buyer.OfferOpen); err != nil {
				return err
			}
			if err := tx.AddAttempt(a); err != nil {
				return err
			}
		}
		if err := tx.EndDelivery(1); err != nil {
			return err
		}
		return tx.Change(1, lead.Received, lead.Change{At: now, Status: lead.Forwarded, Actor: lead.ByService})
	}); err != nil {
		c.t.Fatal(err)
	}
	storetest.CountLeads(c.t, s, "UTC")
}

// TestReportCells wants no cell of a file to be a formula: names of campaigns come from the public.
func TestReportCells(t *testing.T) {
	storetest.Parallel(t)
	const hostile, quoted = `=HYPERLINK("https://attacker.example.com")`, `=HYPERLINK(""https://attacker.example.com"")`
	o := newCLI(t)
	o.run("db", "migrate")
	o.cells(hostile, 45_00)
	for _, args := range []string{"sources", "sources --by campaign", "buyers"} {
		text := o.run(append([]string{"report"}, append(strings.Fields(args), "--csv")...)...)
		if !strings.Contains(text, `"'`+quoted) || strings.Contains(text, `"`+quoted) || strings.Contains(text, "\n=") || strings.Contains(text, ",=") {
			t.Errorf("report %s has a formula, or no name:\n%s", args, text)
		}
	}
}

// TestReportWidth wants every table to fit 100 columns, with the longest names and large amounts.
func TestReportWidth(t *testing.T) {
	storetest.Parallel(t)
	o := newCLI(t)
	o.run("db", "migrate")
	o.cells(strings.Repeat("Heating & Air ", 7), 1_234_567_89)
	for _, args := range []string{"leads", "leads --by service", "coverage", "coverage --by zip --state FL", "sources", "sources --by campaign", "buyers", "returns", "speed"} {
		head, table, _ := strings.Cut(o.run(append([]string{"report"}, strings.Fields(args)...)...), "\n\n")
		if strings.Count(table, "\n") < 2 {
			t.Fatalf("report %s has no rows:\n%s\n%s", args, head, table)
		}
		for line := range strings.Lines(table) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 100 {
				t.Errorf("report %s is %d columns wide:\n%s", args, n, line)
			}
		}
	}
}
