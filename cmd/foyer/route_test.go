package main_test

import (
	"encoding/json"
	"testing"
	"time"

	"foyer/internal/store/storetest"
)

// TestRoute checks the output: who would be asked, and why others would not.
func TestRoute(t *testing.T) {
	storetest.Parallel(t)
	o := newCLI(t)
	add := func(name string, args ...string) string {
		id, _ := o.addBuyer(append([]string{"--name", name, "--url", someBuyer, "--services", "hvac"}, args...)...)
		return id
	}
	names := []string{
		add("First", "--priority", "1", "--own-form-only", "--street-required"), "BUYER-1", add("Second", "--zips", "331*"), "BUYER-2",
		add("Elsewhere", "--zips", "902*"), "BUYER-3", add("Paused", "--paused", "--priority", "7"), "BUYER-4",
	}
	wantOutput(t, o.run("route", "--service", "hvac", "--zip", "33139"), `
hvac in 33139 (FL)
ASKED  BUYER                             NAME       PRIORITY  LAST ASKED  WHY
1st    BUYER-1  First      1         never       wants only leads from our own form, only with a street address
2nd    BUYER-2  Second     100       never
no     BUYER-4  Paused     7         never       state: it is paused: by the operator
no     BUYER-3  Elsewhere  100       never       area: it does not cover 33139
`, names...)
	var r struct {
		Buyers []struct {
			Place    *int
			BuyerID  string `json:"buyer_id"`
			Rule     *string
			Priority int
		}
	}
	if err := json.Unmarshal([]byte(o.run("route", "--service", "hvac", "--zip", "33139", "--json")), &r); err != nil || len(r.Buyers) != 4 {
		t.Fatalf("got %+v, %v", r, err)
	}
	if first, last := r.Buyers[0], r.Buyers[3]; *first.Place != 1 || first.BuyerID != names[0] || first.Rule != nil || last.Place != nil || *last.Rule != "area" {
		t.Errorf("got %+v", r)
	}
	wantOutput(t, o.run("route", "--service", "plumbing", "--zip", "33139"), `
plumbing in 33139 (FL)
No buyer is asked: people dial a number for plumbing themselves: it is never passed on.
`)
	wantOutput(t, o.runFailing(2, "route", "--service", "hvac", "--zip", "3313"), "foyer: --zip: \"3313\" is not a ZIP code: write five digits such as 33139\n")
	wantOutput(t, o.runFailing(2, "route", "--lead", "lead_1", "--zip", "33139"), "foyer: --lead: a lead has its own service and ZIP code: leave --service and --zip out\n")
	wantOutput(t, o.runFailing(1, "route", "--lead", "lead_1"), "foyer: There is no lead with this id.\n")
}

// TestRouteOfLead asks about leads of a running service.
func TestRouteOfLead(t *testing.T) {
	storetest.Parallel(t)
	c, p := newTestBuyer(t), serve(t, t.TempDir(), "--allow-private-buyers")
	o := cli{t, p.Database}
	held := p.Submit()
	id, secret := o.addBuyer("--name", "Cool Air", "--url", c.URL, "--services", "hvac", "--zips", "902*", "--allow-private-buyers")
	c.answerWith(c.answer, secret)
	wantOutput(t, o.run("route", "--lead", held), `
hvac in 33139 (FL)
LEAD is collected
ASKED  BUYER                             NAME      PRIORITY  LAST ASKED  WHY
no     BUYER  Cool Air  100       never       area: it does not cover 33139
`, id, "BUYER", held, "LEAD")
	o.run("buyers", "edit", id, "--zips", "331*")
	p.awaitStatus(held, "forwarded", 10*time.Second)
	wantOutput(t, o.run("route", "--lead", held), `
hvac in 33139 (FL)
LEAD is forwarded
No buyer is asked: a buyer has it.
`, held, "LEAD")
}
