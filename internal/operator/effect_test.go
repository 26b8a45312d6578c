package operator_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
)

// saveWeek stores the leads of a week, three a day in Miami Beach and one in Boston, and one that is older.
func (o *testOperator) saveWeek(status lead.Status) (ids []string) {
	for day := range 8 {
		for i, zip := range []string{"33139", "33139", "33140", "02118"} {
			id := fmt.Sprintf("lead_%d_%d", day, i)
			o.save(id, func(l *lead.Lead) {
				l.Status, l.Request.ZIP, l.CreatedAt = status, zip, o.now.AddDate(0, 0, -day)
				l.Request.Service = []lead.Service{lead.HVAC, lead.Handyman}[i%2]
				l.Request.Contact.Phone = fmt.Sprintf("+13055550%d%d0", 1+day, i)
			})
			ids = append(ids, id)
		}
	}
	return ids
}

// TestEffect covers what terms would do about a made-up week, on both engines.
func TestEffect(t *testing.T) {
	storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		o := newTestOperatorOn(t, newDatabase(t))
		o.saveWeek(lead.Collected)
		o.save("lead_automated", func(l *lead.Lead) { l.Status, l.Marks = lead.Collected, []lead.Mark{lead.Automated} })
		storetest.CountLeads(t, o.store, "UTC")
		o.add(func(in *entered.Terms) { in.ZIPs, in.Priority, in.Services = new("02118"), new(10), new("all") })
		o.add(func(in *entered.Terms) { in.ZIPs, in.Priority, in.Services = new("33140"), new(50), new("all") })
		paused := o.add(func(in *entered.Terms) { in.Priority, in.Services = new(1), new("all") })
		if _, err := o.Pause(t.Context(), ada, paused.ID, ""); err != nil {
			t.Fatal(err)
		}
		edited := o.add(func(in *entered.Terms) {
			in.Name, in.ZIPs, in.Price = new("Edited"), new("33139"), new("hvac=45.00")
		})
		for _, c := range []struct {
			name string
			id   string
			set  func(*entered.Terms)
			want string
		}{
			{"the terms as they are", edited.ID, noTerms, "Covers 1 ZIP code; of 7 leads there in the last 7 days, 7 would have come here: $315.00."},
			{"everywhere, behind others", edited.ID, func(in *entered.Terms) { in.ZIPs = new("") }, "Covers everywhere; of 14 leads there in the last 7 days, 7 would have come here: $315.00."},
			{"before all others", edited.ID, func(in *entered.Terms) { in.ZIPs, in.Priority = new("33139,33140"), new(1) }, "Covers 2 ZIP codes; of 14 leads there in the last 7 days, 14 would have come here: $630.00."},
			{"by turns with an equal", edited.ID, func(in *entered.Terms) { in.ZIPs, in.Priority = new("33140"), new(50) }, "Covers 1 ZIP code; of 7 leads there in the last 7 days, 4 would have come here: $180.00."},
			{"two services", edited.ID, func(in *entered.Terms) {
				in.Services, in.Price = new("hvac,handyman"), new("hvac=45.00,handyman=20.00")
			}, "Covers 1 ZIP code; of 14 leads there in the last 7 days, 14 would have come here: $455.00."},
			{"a cap of the day", edited.ID, func(in *entered.Terms) {
				in.Services, in.Price, in.CapDay = new("hvac,handyman"), new("hvac=45.00,handyman=20.00"), new(1)
			}, "Covers 1 ZIP code; of 14 leads there in the last 7 days, 7 would have come here: $315.00."},
			{"a cap of the month", edited.ID, func(in *entered.Terms) { in.CapMonth = new(3) }, "Covers 1 ZIP code; of 7 leads there in the last 7 days, 5 would have come here: $225.00."},
			{"a cap in all", edited.ID, func(in *entered.Terms) { in.CapTotal = new(2) }, "Covers 1 ZIP code; of 7 leads there in the last 7 days, 2 would have come here: $90.00."},
			{"a money cap", edited.ID, func(in *entered.Terms) {
				in.Services, in.Price, in.MoneyCapDay = new("hvac,handyman"), new("hvac=45.00,handyman=20.00"), new("50.00")
			}, "Covers 1 ZIP code; of 14 leads there in the last 7 days, 7 would have come here: $315.00."},
			{"a new buyer", "", func(in *entered.Terms) { in.Name, in.States, in.Price = new("New"), new("MA"), new("hvac=10.00") }, "ZIP codes; of 0 leads there in the last 7 days, 0 would have come here: $0.00."},
			{"a new buyer for all", "", func(in *entered.Terms) { in.Name, in.Services, in.Priority = new("New"), new("all"), new(0) }, "Covers everywhere; of 28 leads there in the last 7 days, 28 would have come here: $0.00."},
		} {
			t.Run(c.name, func(t *testing.T) {
				in := operator.New{}
				if c.set(&in.Terms); c.id == "" {
					in.Terms = hvacTerms(c.set)
				}
				e, err := o.Effect(t.Context(), c.id, in)
				if err != nil || !strings.Contains(e.Sentence(), c.want) {
					t.Errorf("%v, %s\nwant %s", err, e.Sentence(), c.want)
				}
			})
		}
		if after, err := o.Show(t.Context(), edited.ID); err != nil || after.Terms.Area.ZIPs != "33139" || after.UpdatedAt != edited.UpdatedAt {
			t.Errorf("looking changed the buyer: %+v, %v", after.Terms, err)
		}
	})
}

// TestEffectProblems wants the problems that saving has, and numbers only if they can be trusted.
func TestEffectProblems(t *testing.T) {
	o := newTestOperator(t)
	o.saveWeek(lead.Collected)
	b := o.add(func(in *entered.Terms) { in.Name = new("Here Already") })
	if e, err := o.Effect(t.Context(), b.ID, operator.New{}); err != nil || e.Counted || !strings.Contains(e.Sentence(), "No leads are counted yet") {
		t.Errorf("before anything is counted: %+v, %v", e, err)
	}
	storetest.CountLeads(t, o.store, "UTC")
	for _, c := range []struct {
		name, id string
		set      func(*entered.Terms)
		term     string
		counted  bool
	}{
		{"no name yet", "", func(in *entered.Terms) { in.Name = nil }, "name", true},
		{"another's name", "", func(in *entered.Terms) { in.Name = new("here already") }, "name", true},
		{"an address that cannot be", "", func(in *entered.Terms) { in.URL = new("ftp://x") }, "url", true},
		{"no ZIP pattern", b.ID, func(in *entered.Terms) { in.ZIPs = new("3313") }, "zips", false},
		{"a service without a price", b.ID, func(in *entered.Terms) { in.Price = new("handyman=1.00") }, "price", false},
		{"an area that is empty", b.ID, func(in *entered.Terms) { in.ZIPs, in.States = new("33139"), new("MA") }, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := operator.New{}
			if c.set(&in.Terms); c.id == "" {
				in.Terms = hvacTerms(c.set)
			}
			e, err := o.Effect(t.Context(), c.id, in)
			problems, _ := errors.AsType[entered.Problems](err)
			if len(problems) != 1 || problems[0].Term != c.term || e.Counted != c.counted {
				t.Errorf("%v, counted: %v", err, e.Counted)
			}
			_, saved := o.Edit(t.Context(), ada, c.id, in.Terms)
			if c.id == "" {
				_, _, saved = o.Add(t.Context(), ada, in)
			}
			if saved == nil || saved.Error() != err.Error() {
				t.Errorf("saving says %v", saved)
			}
		})
	}
	if _, err := o.Effect(t.Context(), "buyer_none", operator.New{}); err == nil {
		t.Error("a buyer that is not there has an effect")
	}
}

// TestEffectOfPractice wants nothing for a practice buyer, which takes no lead of a person, and nothing less for others because of it.
func TestEffectOfPractice(t *testing.T) {
	o := newTestOperator(t)
	o.saveWeek(lead.Collected)
	storetest.CountLeads(t, o.store, "UTC")
	practice, err := o.StartPractice(t.Context(), ada)
	if err != nil {
		t.Fatal(err)
	}
	e, err := o.Effect(t.Context(), practice.ID, operator.New{Terms: entered.Terms{Priority: new(0)}})
	if err != nil || e.Covered != 0 || e.Here != 0 {
		t.Errorf("%+v, %v", e.EffectRow, err)
	}
	if _, err := o.Edit(t.Context(), ada, practice.ID, entered.Terms{Priority: new(0)}); err != nil {
		t.Fatal(err)
	}
	if e, err := o.Effect(t.Context(), "", operator.New{Terms: hvacTerms(noTerms)}); err != nil || e.Here != 14 {
		t.Errorf("%+v, %v", e.EffectRow, err)
	}
}

// TestEffectIsWhatForwardingDoes sends the leads of a week to a fresh database, with the terms, and wants as many sales.
func TestEffectIsWhatForwardingDoes(t *testing.T) {
	for name, set := range map[string]func(*entered.Terms){
		"one ZIP code": func(in *entered.Terms) { in.ZIPs = new("33139") },
		"everywhere":   func(in *entered.Terms) { in.Services = new("all") },
		"a cap":        func(in *entered.Terms) { in.Services, in.CapDay = new("all"), new(2) },
		"behind":       func(in *entered.Terms) { in.Services, in.Priority = new("all"), new(90) },
	} {
		t.Run(name, func(t *testing.T) {
			terms := hvacTerms(func(in *entered.Terms) { in.Name, in.Priority = new("Edited"), new(20); set(in) })
			world := func(buyers ...entered.Terms) *testOperator {
				o := newTestOperator(t)
				for _, in := range append(buyers,
					hvacTerms(func(in *entered.Terms) {
						in.Name, in.ZIPs, in.Services, in.Priority = new("Boston"), new("021*"), new("all"), new(10)
					}),
					hvacTerms(func(in *entered.Terms) {
						in.Name, in.Services, in.Priority = new("Everything else"), new("all"), new(80)
					})) {
					if _, _, err := o.Add(t.Context(), ada, operator.New{Terms: in, Live: true}); err != nil {
						t.Fatal(err)
					}
				}
				return o
			}
			o := world()
			o.saveWeek(lead.Collected)
			storetest.CountLeads(t, o.store, "UTC")
			e, err := o.Effect(t.Context(), "", operator.New{Terms: terms})
			if err != nil {
				t.Fatal(err)
			}
			real := world(terms)
			if sold := real.sellWeek("Edited"); int64(sold) != e.Here {
				t.Errorf("%d were sold, and the effect says %d: %s", sold, e.Here, e.Sentence())
			}
		})
	}
}

// sellWeek takes the same leads in as saveWeek, day by day, lets a forwarder sell them, and returns how many a buyer got.
func (o *testOperator) sellWeek(name string) (sold int) {
	end := o.now
	o.reply = webhook.Outcome{Sent: true, Status: 200, Answer: []byte(`{"decision":"accept"}`)}
	f := &forward.Forwarder{
		Store: o.store, Suppressed: o.store.Suppressed, Consent: func(context.Context, string) (string, error) { return "", nil }, Now: func() time.Time { return o.now },
		NewID: func(prefix string, _ time.Time) string { return o.NewID(prefix) }, Chance: func() float64 { return 0 }, Owner: "proc_1", Log: slog.New(slog.DiscardHandler), Send: o.Send,
	}
	for day := 6; day >= 0; day-- {
		o.now = end.AddDate(0, 0, -day)
		var ids []string
		for i, zip := range []string{"33139", "33139", "33140", "02118"} {
			id := fmt.Sprintf("lead_%d_%d", day, i)
			o.save(id, func(l *lead.Lead) {
				l.Status, l.Request.ZIP, l.Request.Service = lead.Received, zip, []lead.Service{lead.HVAC, lead.Handyman}[i%2]
				l.Request.Contact.Phone = fmt.Sprintf("+13055550%d%d0", 1+day, i)
			})
			ids = append(ids, id)
		}
		if err := f.Start(o.t.Context()); err != nil {
			o.t.Fatal(err)
		}
		ctx, stop := context.WithCancel(o.t.Context())
		done := make(chan struct{})
		go func() { defer close(done); f.Run(ctx) }()
		for end := time.Now().Add(10 * time.Second); slices.ContainsFunc(ids, func(id string) bool { return o.status(id) == lead.Received }) && time.Now().Before(end); {
			time.Sleep(5 * time.Millisecond)
		}
		stop()
		<-done
	}
	id, err := o.Find(o.t.Context(), name)
	if err != nil {
		o.t.Fatal(err)
	}
	o.update(func(tx *store.Tx) error {
		counts, err := tx.Counts(id, buyer.Period{})
		sold = counts.Delivered
		return err
	})
	return sold
}
