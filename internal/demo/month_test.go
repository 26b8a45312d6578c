package demo_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/dbadmin"
	"foyer/internal/demo"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/query"
	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
)

// until has the first of a month before it, so that there are statements.
var until = time.Date(2026, 11, 18, 9, 0, 0, 0, time.UTC)

var engines = map[string]func(*testing.T) string{"SQLite": storetest.SQLite, "PostgreSQL": storetest.PostgreSQL}

func fill(t *testing.T, database string, leads int) *store.Store {
	t.Helper()
	st := storetest.Open(t, database)
	key := func(b byte) []byte { return []byte(strings.Repeat(string(b), 32)) }
	if err := demo.Fill(t.Context(), demo.Database{
		Store: st, IndexKey: key('i'), LeadIDKey: key('l'), FormTokenKey: key('f'), By: audit.CLI("tester"),
		NewSecret: func() string { return webhook.NewSecret(key('s')) }, CheckURL: func(string) error { return nil },
	}, demo.Month{Until: until, Leads: leads, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	return st
}

// view reads from a store.
func view(t *testing.T, st *store.Store, do func(*store.Tx) error) {
	t.Helper()
	if err := st.View(t.Context(), do); err != nil {
		t.Fatal(err)
	}
}

// everything lists all leads.
func everything(t *testing.T, st *store.Store) (all []store.FoundLead) {
	t.Helper()
	view(t, st, func(tx *store.Tx) error {
		found, err := tx.FindLeads(store.LeadFilter{}, nil, store.LeadPage{Limit: 1000, Ended: func() bool { return false }})
		all = found.Leads
		return err
	})
	return all
}

// A month is as sound as one that happened, and has something of everything.
func TestMonth(t *testing.T) {
	t.Parallel()
	for name, newDatabase := range engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			database := newDatabase(t)
			st := fill(t, database, 200)
			if _, err := dbadmin.Check(t.Context(), database, nil, func(f db.Finding) {
				if !strings.Contains(f.Remedy, "ALTER SYSTEM") && !f.Mild { // servers for tests may lose data
					t.Errorf("%+v", f)
				}
			}); err != nil {
				t.Error(err)
			}
			view(t, st, func(tx *store.Tx) error { return wantEverything(t, tx) })
			op := &operator.Operator{Store: st, Now: func() time.Time { return until }}
			wantSome(t, "closed statements", func() (int, error) { list, err := op.Accounts().Statements(t.Context(), ""); return len(list), err })
			for _, state := range []buyer.ReturnState{buyer.ReturnWaiting, buyer.ReturnApproved} {
				wantSome(t, "returns that are "+string(state), func() (int, error) {
					list, err := op.Returns(t.Context(), store.ReturnFilter{State: state, Limit: 10})
					return len(list), err
				})
			}
		})
	}
}

// wantEverything wants leads of every source and outcome, money, and privacy requests.
func wantEverything(t *testing.T, tx *store.Tx) error {
	r, err := query.NewReportRange(tx, "2026-10", "2026-11", until)
	if err != nil {
		return err
	}
	list, all, err := query.SourcesReport(tx, r)
	if err != nil {
		return err
	}
	if len(list) < 4 || all.Received < 190 { // a few come from numbers that were suppressed
		t.Errorf("%d leads of %d sources", all.Received, len(list))
	}
	for _, o := range []buyer.Outcome{buyer.OutcomeSold, buyer.OutcomeUncovered, buyer.OutcomeDeclined, buyer.OutcomeCalled} {
		if all.Outcomes[o] == 0 {
			t.Errorf("no lead is %s", o)
		}
	}
	if all.Revenue <= all.Cost || all.Cost == 0 {
		t.Errorf("revenue %s, cost %s", all.Revenue, all.Cost)
	}
	return nil
}

func wantSome(t *testing.T, what string, count func() (int, error)) {
	t.Helper()
	if n, err := count(); n == 0 || err != nil {
		t.Errorf("%s: %d, %v", what, n, err)
	}
}

// The same seed makes the same month, on both engines, and another one another.
func TestMonthIsReproducible(t *testing.T) {
	storetest.Long(t)
	t.Parallel()
	first := everything(t, fill(t, storetest.SQLite(t), 50))
	for name, newDatabase := range engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(first, everything(t, fill(t, newDatabase(t), 50))); diff != "" || len(first) < 45 {
				t.Errorf("%d leads; the second time (-first +second):\n%s", len(first), diff)
			}
		})
	}
	asked := func(seed uint64) string {
		return demo.Requests(rand.New(rand.NewPCG(seed, 1)), until.AddDate(0, 0, -demo.Days), until, 1)[0].Phone
	}
	if asked(1) == asked(2) {
		t.Error("another seed makes the same month")
	}
}

// Nobody in it exists: phone numbers are for fiction, e-mail addresses and internet addresses are for examples.
func TestNobodyExists(t *testing.T) {
	t.Parallel()
	phone, email := regexp.MustCompile(`^\+1[2-9]\d\d55501\d\d$`), regexp.MustCompile(`^[a-z0-9.]+@example\.com$`)
	client := regexp.MustCompile(`^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$|^2001:db8:`)
	for _, r := range demo.Requests(rand.New(rand.NewPCG(1, 1)), until.AddDate(0, 0, -demo.Days), until, 3000) {
		raw := lead.IntakeInput.New()
		for name, v := range r.Fields {
			raw.Set(name, v)
		}
		req, refusal := lead.Parse(raw)
		if refusal != nil {
			t.Fatal(refusal)
		}
		if !phone.MatchString(req.Contact.Phone) || req.Contact.Email != "" && !email.MatchString(req.Contact.Email) || !client.MatchString(r.Client.String()) {
			t.Fatalf("%s, %s, %s", req.Contact.Phone, req.Contact.Email, r.Client)
		}
		if r.At.Before(until.AddDate(0, 0, -demo.Days)) || !r.At.Before(until) {
			t.Fatalf("somebody asks at %s", r.At)
		}
	}
}
