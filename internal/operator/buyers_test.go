package operator_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

func TestAddBuyer(t *testing.T) {
	o := newTestOperator(t)
	b, secret, err := o.Add(t.Context(), ada, operator.New{Terms: hvacTerms(noTerms)})
	if err != nil || secret == "" || b.State != buyer.Testing || !cmp.Equal(b.Secrets, []string{secret}) || !b.CreatedAt.Equal(o.now) {
		t.Fatalf("got %+v, %q, %v", b, secret, err)
	}
	kept, err := o.Show(t.Context(), b.ID)
	if diff := cmp.Diff(b, kept.Buyer); err != nil || diff != "" {
		t.Errorf("%v (-added +kept):\n%s", err, diff)
	}
	if live := o.add(func(in *entered.Terms) { in.Name = new("Warm Air") }); live.State != buyer.Active {
		t.Errorf("live, it is %s", live.State)
	}
	own, secret, err := o.Add(t.Context(), ada, operator.New{Terms: hvacTerms(func(in *entered.Terms) { in.Name = new("Breeze") }), Secret: "whsec_own", Paused: true})
	if err != nil || secret != "whsec_own" || own.State != buyer.Paused || own.Why == "" {
		t.Errorf("with a secret of its own, paused: %+v, %q, %v", own, secret, err)
	}
	_, _, err = o.Add(t.Context(), ada, operator.New{Terms: hvacTerms(noTerms), Secret: "hunter2"})
	wantError(t, err, "secret: ")
}

// TestSecretChangeWakesNoLeads checks that a new secret reaches every process without a scan of held leads.
func TestSecretChangeWakesNoLeads(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(noTerms)
	o.update(func(tx *store.Tx) error { return tx.PutHealth(b.ID, buyer.Health{}) })
	for _, change := range []func() error{
		func() error { _, _, err := o.Rotate(t.Context(), ada, b.ID, ""); return err },
		func() error { _, err := o.EndRotation(t.Context(), ada, b.ID); return err },
	} {
		before, err := o.store.BuyersVersion(t.Context())
		if err = errors.Join(err, change()); err != nil {
			t.Fatal(err)
		}
		if after, err := o.store.BuyersVersion(t.Context()); err != nil || after == before {
			t.Errorf("nobody is told (%v)", err)
		}
		if woken, err := o.store.BuyersToWake(t.Context(), o.now.Add(time.Hour)); err != nil || len(woken) != 0 {
			t.Errorf("woken are %v, %v", woken, err)
		}
	}
}

// TestChangesBumpVersionAndWakeHeldLeads covers every change to a buyer: each makes the running services reload their
// buyers and check held leads.
func TestChangesBumpVersionAndWakeHeldLeads(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(noTerms)
	for _, change := range []struct {
		name string
		do   func() (buyer.Buyer, error)
		want func(buyer.Buyer) bool
	}{
		{"edit", func() (buyer.Buyer, error) {
			return o.Edit(t.Context(), ada, b.ID, entered.Terms{Priority: new(5)})
		}, func(b buyer.Buyer) bool { return b.Terms.Priority == 5 }},
		{"pause", func() (buyer.Buyer, error) { return o.Pause(t.Context(), ada, b.ID, "moving house") }, func(b buyer.Buyer) bool { return b.State == buyer.Paused && b.Why == "moving house" }},
		{"pause again", func() (buyer.Buyer, error) { return o.Pause(t.Context(), ada, b.ID, "") }, func(b buyer.Buyer) bool { return b.State == buyer.Paused && b.Why == "moving house" }},
		{"resume", func() (buyer.Buyer, error) { return o.Resume(t.Context(), ada, b.ID) }, func(b buyer.Buyer) bool { return b.State == buyer.Active && b.Why == "" }},
		{"import", func() (buyer.Buyer, error) {
			b, _, err := o.Import(t.Context(), ada, b.ID, operator.Import{ZIPs: []string{"33139"}})
			return b, err
		}, func(b buyer.Buyer) bool { return b.Terms.Area.ZIPs == "33139" }},
	} {
		o.now = o.now.Add(time.Minute)
		before, err := o.store.BuyersVersion(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, err := change.do()
		if err != nil || !change.want(got) || !got.UpdatedAt.Equal(o.now) || got.CreatedAt.Equal(o.now) {
			t.Errorf("%s: %+v, %v", change.name, got, err)
		}
		if after, err := o.store.BuyersVersion(t.Context()); err != nil || after == before {
			t.Errorf("%s: nobody is told (%v)", change.name, err)
		}
		if woken, err := o.store.BuyersToWake(t.Context(), o.now); err != nil || !cmp.Equal(woken, []string{b.ID}) {
			t.Errorf("%s: woken are %v, %v", change.name, woken, err)
		}
		if kept, err := o.Show(t.Context(), b.ID); err != nil || !cmp.Equal(kept.Buyer, got) {
			t.Errorf("%s: kept is %+v, %v", change.name, kept.Buyer, err)
		}
	}
}

func TestRefusedChangesWriteNothing(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(noTerms)
	before, _ := o.store.BuyersVersion(t.Context())
	_, err := o.Edit(t.Context(), ada, b.ID, entered.Terms{AcceptPlain: new(true)})
	wantError(t, err, "accept-plain: ")
	_, err = o.Edit(t.Context(), ada, b.ID, entered.Terms{Priority: new(1), Hours: new("late")})
	wantError(t, err, "hours: ")
	_, err = o.Pause(t.Context(), ada, b.ID, "two\nlines")
	wantError(t, err, "why: ")
	_, err = o.EndRotation(t.Context(), ada, b.ID)
	wantError(t, err, "no rotation is under way")
	for name, err := range map[string]error{
		"edit":   errOf(o.Edit(t.Context(), ada, "buyer_none", entered.Terms{Priority: new(1)})),
		"pause":  errOf(o.Pause(t.Context(), ada, "buyer_none", "")),
		"resume": errOf(o.Resume(t.Context(), ada, "buyer_none")),
		"show":   errOf(o.Show(t.Context(), "buyer_none")),
		"try":    errOf(o.Try(t.Context(), "buyer_none", operator.Test{})),
		"start":  errOf(o.Start(t.Context(), ada, "buyer_none", entered.Held{})),
		"count":  errOf(o.HeldFor(t.Context(), "buyer_none", entered.Held{})),
	} {
		if lead.KindOf(err) != lead.NotFound {
			t.Errorf("%s of a buyer that there is not: %v", name, err)
		}
	}
	if after, _ := o.store.BuyersVersion(t.Context()); after != before {
		t.Error("something was written")
	}
}

func errOf[T any](_ T, err error) error { return err }

func TestResumeClearsFailures(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(noTerms)
	asked := o.now.Add(-time.Hour)
	o.update(func(tx *store.Tx) error {
		return tx.PutHealth(b.ID, buyer.Health{Asked: asked, Failures: 5, Opened: 2, OpenUntil: o.now.Add(time.Hour)})
	})
	if _, err := o.Resume(t.Context(), ada, b.ID); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(buyer.Health{Asked: asked, WakeAt: o.now}, o.health(b.ID)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestPauseRequeuesWaitingLeads(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(noTerms)
	waits := o.save("lead_waits", func(l *lead.Lead) { l.Status = lead.Received })
	o.update(func(tx *store.Tx) error {
		return tx.PutDelivery(buyer.Delivery{Lead: waits, BuyerQueue: b.ID, Step: buyer.StepAsk, DueAt: o.now, Since: o.now})
	})
	if _, err := o.Pause(t.Context(), ada, b.ID, ""); err != nil {
		t.Fatal(err)
	}
	if d, _ := o.delivery(waits); d.BuyerQueue != "" {
		t.Errorf("it still waits for %s", d.BuyerQueue)
	}
}

func TestRemoveBuyer(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(noTerms)
	onItsWay := o.save("lead_1", func(l *lead.Lead) { l.Status = lead.Received })
	o.update(func(tx *store.Tx) error {
		return tx.PutDelivery(buyer.Delivery{Lead: onItsWay, BuyerQueue: b.ID, Step: buyer.StepDeliver, DueAt: o.now, Since: o.now})
	})
	_, _, err := o.Remove(t.Context(), ada, b.ID, false)
	wantError(t, err, "offers open: 0, contacts being delivered: 1; leads: lead_1)")
	if _, u, err := o.InProgress(t.Context(), b.ID); err != nil || !cmp.Equal(u, operator.InProgress{Contacts: 1, Leads: []string{"lead_1"}}) {
		t.Errorf("under way is %+v, %v", u, err)
	}
	many := operator.InProgress{Offers: 2, Contacts: 10, Leads: []string{"lead_1", "lead_2"}}
	if text := many.String(); text != "offers open: 2, contacts being delivered: 10; leads: lead_1, lead_2 and 10 more" {
		t.Errorf("got %q", text)
	}
	if s, err := o.Show(t.Context(), b.ID); err != nil || s.Delivering != 1 {
		t.Errorf("refused, it is %+v, %v", s, err)
	}
	gone, lost, err := o.Remove(t.Context(), ada, b.ID, true)
	if err != nil || lost != 1 || gone.ID != b.ID {
		t.Errorf("by force: %+v, %d, %v", gone, lost, err)
	}
	if _, err := o.Show(t.Context(), b.ID); lead.KindOf(err) != lead.NotFound {
		t.Errorf("it is still there: %v", err)
	}
	if _, _, err := o.Remove(t.Context(), ada, b.ID, true); lead.KindOf(err) != lead.NotFound {
		t.Errorf("removed twice: %v", err)
	}
}

// TestRotateSecret checks that a rotation has two secrets, the new one first, and never three.
func TestRotateSecret(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(noTerms)
	old := b.Secrets[0]
	b, secret, err := o.Rotate(t.Context(), ada, b.ID, "")
	if err != nil || !cmp.Equal(b.Secrets, []string{secret, old}) {
		t.Fatalf("got %v, %v", b.Secrets, err)
	}
	_, _, err = o.Rotate(t.Context(), ada, b.ID, "")
	wantError(t, err, "a rotation is under way")
	if b, err = o.EndRotation(t.Context(), ada, b.ID); err != nil || !cmp.Equal(b.Secrets, []string{secret}) {
		t.Errorf("at its end: %v, %v", b.Secrets, err)
	}
	_, _, err = o.Rotate(t.Context(), ada, b.ID, secret)
	wantError(t, err, "this is the secret it has")
	if b, _, err = o.Rotate(t.Context(), ada, b.ID, "whsec_own"); err != nil || b.Secrets[0] != "whsec_own" {
		t.Errorf("to one of its own: %v, %v", b.Secrets, err)
	}
}

// TestImport40000ZIPs takes a tenth of a second, from the file to the database. The bound allows for a machine under load
// and the race detector.
func TestImport40000ZIPs(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(noTerms)
	var file strings.Builder
	file.WriteString("zip,city,state\r\n")
	for zip := range 40_000 {
		fmt.Fprintf(&file, "%05d,\"Town, %d\",FL\r\n", zip*2, zip)
	}
	start := time.Now()
	zips, err := entered.ReadZIPs(strings.NewReader(file.String()))
	if err != nil {
		t.Fatal(err)
	}
	b, before, err := o.Import(t.Context(), ada, b.ID, operator.Import{ZIPs: zips})
	if err != nil || len(entered.Patterns(b.Terms.Area.ZIPs)) != 40_000 || entered.Area(before) != "everywhere" {
		t.Errorf("got %s, before %s, %v", entered.Area(b.Terms.Area), entered.Area(before), err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestImportAddsOrReplaces(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(func(in *entered.Terms) { in.ZIPs = new("33139,902*") })
	for _, c := range []struct {
		i              operator.Import
		zips, excluded string
	}{
		{operator.Import{ZIPs: []string{"33140", "33139"}}, "33139,33140,902*", ""},
		{operator.Import{ZIPs: []string{"33140"}, Exclude: true}, "33139,33140,902*", "33140"},
		{operator.Import{ZIPs: []string{"33141"}, Exclude: true}, "33139,33140,902*", "33140,33141"},
		{operator.Import{ZIPs: []string{"90210"}, Exclude: true, Replace: true}, "33139,33140,902*", "90210"},
		{operator.Import{ZIPs: []string{"331*"}, Replace: true}, "331*", "90210"},
	} {
		got, _, err := o.Import(t.Context(), ada, b.ID, c.i)
		if err != nil || got.Terms.Area.ZIPs != c.zips || got.Terms.Area.Excluded != c.excluded {
			t.Errorf("%+v: %+v, %v", c.i, got.Terms.Area, err)
		}
	}
	_, _, err := o.Import(t.Context(), ada, b.ID, operator.Import{ZIPs: []string{"331*"}, Exclude: true})
	wantError(t, err, "the area is empty")
	_, _, err = o.Import(t.Context(), ada, b.ID, operator.Import{ZIPs: []string{"x"}})
	wantError(t, err, "not a ZIP pattern")
}
