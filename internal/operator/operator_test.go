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

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// office is a desk on a real store, with a clock that stands still and a post that goes nowhere.
type office struct {
	*operator.Operator
	t        *testing.T
	database string
	store    *store.Store
	now      time.Time
	ids      int
	added    int
	sending  sync.Mutex
	letters  []forward.Message
	reply    forward.Reply
}

type testStore struct{ *store.Store }

func (b testStore) Update(ctx context.Context, do func(operator.Tx) error) error {
	return b.Store.Update(ctx, func(p *store.Tx) error { return do(p) })
}

func (b testStore) View(ctx context.Context, do func(operator.Tx) error) error {
	return b.Store.View(ctx, func(p *store.Tx) error { return do(p) })
}

func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{t: t, database: storetest.Database(t), now: storetest.Noon}
	o.store = storetest.Open(t, o.database)
	count := func(word string) string { o.ids++; return fmt.Sprintf("%s%03d", word, o.ids) }
	o.Operator = &operator.Operator{
		Store: testStore{o.store}, Now: func() time.Time { return o.now }, NewID: count, NewSecret: func() string { return count("whsec_") },
		CheckURL: checkURL, CheckSecret: checkSecret, Suppressed: o.store.Suppressed,
		Send: func(_ context.Context, l forward.Message) forward.Reply {
			o.sending.Lock() // several leads are sent at a time
			defer o.sending.Unlock()
			o.letters = append(o.letters, l)
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

// draft is a buyer of HVAC everywhere, with whatever else is set.
func draft(set func(*operator.TermsInput)) operator.TermsInput {
	d := operator.TermsInput{Name: new("Cool Air"), URL: new("https://buyer.example.com/leads"), Services: new("hvac")}
	set(&d)
	return d
}

func nothing(*operator.TermsInput) {}

// add adds a buyer that is live. Those after the first have a number in their name, unless it is set.
func (o *office) add(set func(*operator.TermsInput)) buyer.Buyer {
	o.t.Helper()
	b, _, err := o.Add(o.t.Context(), operator.New{Live: true, Terms: draft(func(d *operator.TermsInput) {
		if o.added++; o.added > 1 {
			d.Name = new(fmt.Sprint("Cool Air ", o.added))
		}
		set(d)
	})})
	if err != nil {
		o.t.Fatal(err)
	}
	return b
}

// save keeps a lead for HVAC in Miami Beach, and says in which row.
func (o *office) save(id string, set func(*lead.Lead)) (seq int64) {
	o.t.Helper()
	l := storetest.Lead(id)
	l.Request.Service, l.CreatedAt, l.UpdatedAt = lead.HVAC, o.now, o.now
	set(&l)
	storetest.Save(o.t, o.store, l)
	o.turn(func(p operator.Tx) (err error) { seq, err = p.LeadOf(id); return err })
	return seq
}

func asItIs(*lead.Lead) {}

// turn does something in a transaction of its own.
func (o *office) turn(do func(operator.Tx) error) {
	o.t.Helper()
	if err := o.Store.Update(o.t.Context(), do); err != nil {
		o.t.Fatal(err)
	}
}

func (o *office) standing(id string) (s buyer.Health) {
	o.t.Helper()
	o.turn(func(p operator.Tx) (err error) { s, err = p.Health(id); return err })
	return s
}

func (o *office) offer(id string) (x buyer.Offer) {
	o.t.Helper()
	o.turn(func(p operator.Tx) (err error) { x, _, err = p.Offer(id); return err })
	return x
}

// write writes an offer down as it is.
func (o *office) write(x buyer.Offer) {
	o.t.Helper()
	o.turn(func(p operator.Tx) error {
		if err := p.AddOffer(x); err != nil {
			return err
		}
		return p.PutOffer(x, x.State)
	})
}

// forward lets a real forwarder work until a lead has a status.
func (o *office) forward(id string, want lead.Status) {
	o.t.Helper()
	f := &forward.Forwarder{
		Store: forwarding{o.store}, Suppressed: o.store.Suppressed, Consent: func(context.Context, string) (string, error) { return "", nil }, Now: o.Now,
		NewID: func(prefix string, _ time.Time) string { return o.NewID(prefix) }, Chance: func() float64 { return 0 }, Busy: func() bool { return false },
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

type forwarding struct{ *store.Store }

func (f forwarding) Update(ctx context.Context, do func(forward.Tx) error) error {
	return f.Store.Update(ctx, func(p *store.Tx) error { return do(p) })
}

func (o *office) errand(seq int64) (e buyer.Delivery, found bool) {
	o.t.Helper()
	o.turn(func(p operator.Tx) (err error) { e, found, err = p.Delivery(seq); return err })
	return e, found
}

func (o *office) status(id string) lead.Status {
	o.t.Helper()
	l, err := o.store.LeadSummary(o.t.Context(), id)
	if err != nil {
		o.t.Fatal(err)
	}
	return l.Status
}

// says wants an error with some words in it.
func says(t *testing.T, err error, words string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("got %v, want something with %q", err, words)
	}
}
