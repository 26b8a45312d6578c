package operator_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/internal/alert"
	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
)

// testOperator is an Operator on a real store, with a fixed clock and a fake sender.
type testOperator struct {
	*operator.Operator
	t          *testing.T
	database   string
	store      *store.Store
	now        time.Time
	ids        int
	added      int
	sending    sync.Mutex
	messages   []webhook.Message
	reply      webhook.Outcome
	alertFails error // what sending an alert returns
}

// ada is the operator of the tests.
var ada = audit.CLI("ada")

func newTestOperator(t *testing.T) *testOperator {
	t.Helper()
	return newTestOperatorOn(t, storetest.Database(t))
}

func newTestOperatorOn(t *testing.T, database string) *testOperator {
	t.Helper()
	o := &testOperator{t: t, database: database, now: storetest.Noon}
	o.store = storetest.Open(t, o.database)
	count := func(word string) string { o.ids++; return fmt.Sprintf("%s%03d", word, o.ids) }
	o.Operator = &operator.Operator{
		Store: o.store, Now: func() time.Time { return o.now }, NewID: count, NewSecret: func() string { return count("whsec_") },
		SendAlert: func(context.Context, alert.Way, string, alert.Message) error { return o.alertFails },
		CheckURL:  checkURL, CheckSecret: checkSecret, Suppressed: o.store.Suppressed,
		Send: func(_ context.Context, msg webhook.Message) webhook.Outcome {
			o.sending.Lock() // leads are sent concurrently
			defer o.sending.Unlock()
			o.messages = append(o.messages, msg)
			return o.reply
		},
	}
	return o
}

func checkURL(raw string) error {
	if !strings.HasPrefix(raw, "https://") {
		return errors.New("the address must begin with https://")
	}
	return nil
}

func checkSecret(s string) error {
	if !strings.HasPrefix(s, "whsec_") {
		return errors.New("a secret begins with whsec_")
	}
	return nil
}

// hvacTerms returns the terms of a buyer of HVAC leads everywhere, plus whatever set adds.
func hvacTerms(set func(*entered.Terms)) entered.Terms {
	in := entered.Terms{Name: new("Cool Air"), URL: new("https://buyer.example.com/leads"), Services: new("hvac")}
	set(&in)
	return in
}

func noTerms(*entered.Terms) {}

// add adds a live buyer. Buyers after the first have a number in their name, unless set names them.
func (o *testOperator) add(set func(*entered.Terms)) buyer.Buyer {
	o.t.Helper()
	b, _, err := o.Add(o.t.Context(), ada, operator.New{Live: true, Terms: hvacTerms(func(in *entered.Terms) {
		if o.added++; o.added > 1 {
			in.Name = new(fmt.Sprint("Cool Air ", o.added))
		}
		set(in)
	})})
	if err != nil {
		o.t.Fatal(err)
	}
	return b
}

// save stores an HVAC lead in Miami Beach and returns its row number.
func (o *testOperator) save(id string, set func(*lead.Lead)) (seq int64) {
	o.t.Helper()
	l := storetest.Lead(id)
	l.Request.Service, l.CreatedAt, l.UpdatedAt = lead.HVAC, o.now, o.now
	set(&l)
	storetest.Save(o.t, o.store, l)
	o.update(func(tx *store.Tx) (err error) { seq, err = tx.LeadOf(id); return err })
	return seq
}

func unchanged(*lead.Lead) {}

// update runs do in a transaction.
func (o *testOperator) update(do func(*store.Tx) error) {
	o.t.Helper()
	if err := o.Store.Update(o.t.Context(), do); err != nil {
		o.t.Fatal(err)
	}
}

func (o *testOperator) health(id string) (health buyer.Health) {
	o.t.Helper()
	o.update(func(tx *store.Tx) (err error) { health, err = tx.Health(id); return err })
	return health
}

func (o *testOperator) offer(id string) (offer buyer.Offer) {
	o.t.Helper()
	o.update(func(tx *store.Tx) (err error) { offer, _, err = tx.Offer(id); return err })
	return offer
}

// addOffer stores an offer in the state it has.
func (o *testOperator) addOffer(offer buyer.Offer) {
	o.t.Helper()
	o.update(func(tx *store.Tx) error {
		if err := tx.AddOffer(offer); err != nil {
			return err
		}
		return tx.PutOffer(offer, offer.State)
	})
}

// forwardUntil runs a real forwarder until a lead has the wanted status.
func (o *testOperator) forwardUntil(id string, want lead.Status) {
	o.t.Helper()
	began, now := time.Now(), o.now // the clock goes on: held leads become due one after another
	f := &forward.Forwarder{
		Store: o.store, Suppressed: o.store.Suppressed, Consent: func(context.Context, string) (string, error) { return "", nil },
		Now:   func() time.Time { return now.Add(time.Since(began)) },
		NewID: func(prefix string, _ time.Time) string { return o.NewID(prefix) }, Chance: func() float64 { return 0 },
		Owner: "proc_1", Log: slog.New(slog.DiscardHandler), Send: o.Send,
	}
	if err := f.Start(o.t.Context()); err != nil {
		o.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(o.t.Context())
	done := make(chan struct{})
	go func() { defer close(done); f.Run(ctx) }()
	for end := time.Now().Add(10 * time.Second); o.status(id) != want && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	stop()
	<-done
	if got := o.status(id); got != want {
		o.t.Fatalf("%s is %s, not %s", id, got, want)
	}
}

func (o *testOperator) delivery(seq int64) (d buyer.Delivery, found bool) {
	o.t.Helper()
	o.update(func(tx *store.Tx) (err error) { d, found, err = tx.Delivery(seq); return err })
	return d, found
}

func (o *testOperator) status(id string) lead.Status {
	o.t.Helper()
	l, err := o.store.LeadSummary(o.t.Context(), id)
	if err != nil {
		o.t.Fatal(err)
	}
	return l.Status
}

// wantError checks that an error contains a text.
func wantError(t *testing.T, err error, words string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("got %v, want something with %q", err, words)
	}
}

// TestOnPostgreSQL repeats the tests that write to or read from the database.
func TestOnPostgreSQL(t *testing.T) {
	storetest.RunOnPostgreSQL(t, map[string]func(*testing.T){
		"changes":   TestChangesBumpVersionAndWakeHeldLeads,
		"refusals":  TestRefusedChangesWriteNothing,
		"pausing":   TestPauseRequeuesWaitingLeads,
		"removing":  TestRemoveBuyer,
		"cards":     TestSummaryCounts,
		"order":     TestRouteOrder,
		"route":     TestRouteOfLead,
		"releasing": TestReleaseErroredLead,
		"replaying": TestReplayLead,
		"range":     TestReplayAll,
		"locked":    TestReplayRefused,
		"closing":   TestCloseLead,
		"kept open": TestCloseLeadRefused,
		"whole way": TestReplayIsForwarded,
		"waiting":   TestReadsDoNotWaitForWriter,
		"looking":   TestTryStoresNothing,
		"imports":   TestImportAddsOrReplaces,
		"audited":   TestEveryChangeIsAudited,
		"repeats":   TestPrivacyRequestClosesEveryRepeat,
		"withdrawn": TestRepeatsOfWithdrawnLeads,
		"erasing":   TestEraseWhileContactIsOut,
		"suppress":  TestSuppressClosesHeldLeads,
		"undoing":   TestUndo,
	})
}

// TestReadsDoNotWaitForWriter blocks all writers. Reads must return meanwhile, with the last committed data.
func TestReadsDoNotWaitForWriter(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(func(*entered.Terms) {})
	release := storetest.HoldWriter(t, o.database)
	defer release()
	looked := make(chan error)
	go func() {
		_, err := o.List(t.Context())
		looked <- err
		_, err = o.Show(t.Context(), b.ID)
		looked <- err
		_, err = o.Route(t.Context(), "hvac", "33139")
		looked <- err
	}()
	for _, what := range []string{"a list", "a card", "a route"} {
		select {
		case err := <-looked:
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(5 * time.Second):
			t.Fatalf("%s waits", what)
		}
	}
}
