package operator_test

import (
	"strings"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

func TestParseHeld(t *testing.T) {
	for text, want := range map[string]entered.Held{"all": {All: true}, "none": {}, "7": {Days: 7}} {
		if got, err := entered.ParseHeld(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "some", "7.5", "9999999"} {
		_, err := entered.ParseHeld(text)
		wantError(t, err, "none, all, or a number of days")
	}
}

// TestBuyerStartsInTest checks that a new buyer gets nothing until it is started, cannot be paused or resumed, and then
// gets the held leads chosen when it was started.
func TestBuyerStartsInTest(t *testing.T) {
	for text, want := range map[string][]lead.Status{ // of a lead from nine days ago, and of one from yesterday
		"all":  {lead.Forwarded, lead.Forwarded},
		"none": {lead.Collected, lead.Collected},
		"7":    {lead.Collected, lead.Forwarded},
	} {
		t.Run(text, func(t *testing.T) {
			o := newTestOperator(t)
			o.reply = webhook.Outcome{Status: 200, Answer: []byte(`{"decision":"accept"}`), Sent: true}
			today := o.now
			for id, days := range map[string]int{"lead_old": -9, "lead_young": -1} {
				o.now = today.AddDate(0, 0, days)
				o.save(id, func(l *lead.Lead) {
					l.Request.Contact.Phone = map[string]string{"lead_old": "+13055550101", "lead_young": "+13055550102"}[id]
				})
			}
			o.save("lead_elsewhere", func(l *lead.Lead) { l.Request.ZIP = "90210" })
			o.now = today
			b, _, err := o.Add(t.Context(), ada, operator.New{Terms: hvacTerms(func(in *entered.Terms) { in.ZIPs = new("331*") })})
			if err != nil || b.State != buyer.Testing {
				t.Fatalf("it is %s, %v", b.State, err)
			}
			_, err = o.Resume(t.Context(), ada, b.ID)
			wantError(t, err, "start it")
			_, err = o.Pause(t.Context(), ada, b.ID, "")
			wantError(t, err, "the buyer is in test")
			held, err := entered.ParseHeld(text)
			if err != nil {
				t.Fatal(err)
			}
			gets := 0
			for _, status := range want {
				if status == lead.Forwarded {
					gets++
				}
			}
			w, err := o.HeldFor(t.Context(), b.ID, held)
			if err != nil || w.Covered != 2 || w.Chosen != gets || !w.Oldest.Equal(today.AddDate(0, 0, -9)) {
				t.Errorf("waiting are %+v, %v", w, err)
			}
			for most, want := range map[int]int{1: 1, 2: 2, 3: 2, 1000: 2} { // three are held, and the third is elsewhere
				if w, all, err := o.HeldAmong(t.Context(), b.ID, most); err != nil || w.Covered != want || all != (most > 3) {
					t.Errorf("among %d: %+v, all %v, %v", most, w, all, err)
				}
			}
			if b, err = o.Start(t.Context(), ada, b.ID, held); err != nil || b.State != buyer.Active || b.Terms.HeldSince.IsZero() != held.All {
				t.Fatalf("started it is %+v, %v", b, err)
			}
			o.now = o.now.Add(time.Second)
			o.save("lead_new", func(l *lead.Lead) { l.Status, l.Request.Contact.Phone = lead.Received, "+13055550103" })
			o.forwardUntil("lead_new", lead.Forwarded)
			o.now = o.now.Add(time.Second) // held leads become due one after another
			if gets > 0 {
				o.forwardUntil("lead_young", lead.Forwarded)
			}
			if gets > 1 {
				o.forwardUntil("lead_old", lead.Forwarded)
			}
			for i, id := range []string{"lead_old", "lead_young"} {
				if got := o.status(id); got != want[i] {
					t.Errorf("%s is %s, want %s", id, got, want[i])
				}
			}
		})
	}
}

// TestStartTested starts a buyer only if it answers a test, and takes what it accepted.
func TestStartTested(t *testing.T) {
	o := newTestOperator(t)
	for name, c := range map[string]struct {
		reply webhook.Outcome
		want  string // in the refusal; "" if it is started
	}{
		"accepts both": {webhook.Outcome{Status: 200, Answer: []byte(`{"decision":"accept"}`)}, ""},
		"declines":     {webhook.Outcome{Status: 200, Answer: []byte(`{"decision":"reject"}`)}, ""},
		"is not there": {webhook.Outcome{Failure: "dns", Detail: "no such host"}, "nobody answers at buyer.example.com"},
		"says nothing": {webhook.Outcome{Status: 200, Answer: []byte(`thanks`)}, "JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			b, _, err := o.Add(t.Context(), ada, operator.New{Terms: hvacTerms(func(in *entered.Terms) { in.Name = &name })})
			if err != nil {
				t.Fatal(err)
			}
			o.reply = c.reply
			_, err = o.StartTested(t.Context(), ada, b.ID, entered.Held{})
			if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), "is not started, because its test failed: ") || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v", err)
			}
			if s, err := o.Show(t.Context(), b.ID); err != nil || (s.State == buyer.Active) != (c.want == "") {
				t.Errorf("it is %s, %v", s.State, err)
			}
		})
	}
}

// TestRouteExplainsBuyerInTest wants the route to say why a buyer in test is not asked.
func TestRouteExplainsBuyerInTest(t *testing.T) {
	o := newTestOperator(t)
	b, _, err := o.Add(t.Context(), ada, operator.New{Terms: hvacTerms(noTerms)})
	if err != nil {
		t.Fatal(err)
	}
	r, err := o.Route(t.Context(), lead.HVAC, "33139")
	if err != nil || len(r.Stops) != 1 || r.Stops[0].Exclusion.Reason != "it is in test" {
		t.Errorf("in test: %+v, %v", r.Stops, err)
	}
	if _, err := o.Start(t.Context(), ada, b.ID, entered.Held{}); err != nil {
		t.Fatal(err)
	}
	if r, err = o.Route(t.Context(), lead.HVAC, "33139"); err != nil || r.Stops[0].Place != 1 {
		t.Errorf("started, without what is held: %+v, %v", r.Stops, err)
	}
}

func TestFindBuyer(t *testing.T) {
	o := newTestOperator(t)
	a := o.add(func(in *entered.Terms) { in.Name = new("Cool Air") })
	b := o.add(func(in *entered.Terms) { in.Name = new("Breeze") })
	_, _, err := o.Add(t.Context(), ada, operator.New{Terms: hvacTerms(func(in *entered.Terms) { in.Name = new(" BREEZE ") })})
	wantError(t, err, `name: "Breeze" is the name of `+b.ID)
	c := o.add(noTerms)
	_, err = o.Edit(t.Context(), ada, c.ID, entered.Terms{Name: new(" BREEZE ")})
	wantError(t, err, `name: "Breeze" is the name of `+b.ID)
	if _, err := o.Edit(t.Context(), ada, b.ID, entered.Terms{Name: new("breeze")}); err != nil {
		t.Errorf("a name in other letters: %v", err)
	}
	c.Terms.Name = "BREEZE" // as an older version allowed
	if err := o.store.Update(t.Context(), func(tx *store.Tx) error { return tx.PutBuyer(c) }); err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{a.ID: a.ID, "Cool Air": a.ID, " cool AIR ": a.ID, c.ID: c.ID} {
		if got, err := o.Find(t.Context(), word); err != nil || got != want {
			t.Errorf("%q is %s, %v", word, got, err)
		}
	}
	_, err = o.Find(t.Context(), "breeze")
	wantError(t, err, b.ID+", "+c.ID)
	for _, word := range []string{"", "Cool", "buyer_none"} {
		if _, err := o.Find(t.Context(), word); lead.KindOf(err) != lead.NotFound {
			t.Errorf("%q: %v", word, err)
		}
	}
}

// TestAllProblemsReported counts the lines, and wants none that only follows from another.
func TestAllProblemsReported(t *testing.T) {
	o := newTestOperator(t)
	_, _, err := o.Add(t.Context(), ada, operator.New{Secret: "hunter2", Terms: entered.Terms{
		URL: new("ftp://x"), Services: new("hvca,hvac,plumbing,paint"), ZIPs: new("33,331*,miami"), States: new("XX,FL,YY"), Hours: new("mon 08:00-18:00"), CapDay: new(-1), AcceptPlain: new(true),
	}})
	if err == nil {
		t.Fatal("nothing is wrong")
	}
	lines := strings.Split(err.Error(), "\n  --")[1:]
	for i, want := range []string{
		"url: ", `services: "hvca", "paint" are not services; plumbing cannot be bought: `, `zips: "33", "miami" are not ZIP patterns`, `states: "XX", "YY" are not states`,
		"cap-day: -1", "name: missing", "time-zone: missing", "accept-plain: ", "secret: ",
	} {
		if i >= len(lines) || !strings.HasPrefix(lines[i], want) {
			t.Fatalf("line %d is not %q:\n%s", i+1, want, err)
		}
	}
	if len(lines) != 9 || !strings.HasPrefix(err.Error(), "9 problems:") || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %d lines:\n%s", len(lines), err)
	}
}

func TestPauseKeepsReason(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(noTerms)
	o.update(func(tx *store.Tx) error {
		b.State, b.Why = buyer.Paused, "its address answered 403"
		return tx.PutBuyer(b)
	})
	for _, c := range []struct{ given, want string }{{"", "its address answered 403"}, {"moving house", "moving house"}, {"", "moving house"}} {
		if got, err := o.Pause(t.Context(), ada, b.ID, c.given); err != nil || got.Why != c.want || got.State != buyer.Paused {
			t.Errorf("%q: %s because %s, %v", c.given, got.State, got.Why, err)
		}
	}
	if fresh, err := o.Pause(t.Context(), ada, o.add(noTerms).ID, ""); err != nil || fresh.Why != "by the operator" {
		t.Errorf("without a reason: %q, %v", fresh.Why, err)
	}
	o.update(func(tx *store.Tx) error {
		b.State, b.Why = buyer.Off, "its address said that it is gone (410)"
		return tx.PutBuyer(b)
	})
	_, err := o.Pause(t.Context(), ada, b.ID, "moving house") // a paused buyer still gets the contacts that it accepted
	wantError(t, err, "it is off already")
}
