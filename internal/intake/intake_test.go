package intake_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/limit"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

var (
	brand  = catalog.Brand{Name: "Foyer", Contact: "hello@example.com", BaseURL: "https://foyer.example.com", Number: "+18005550142"}
	noon   = time.Date(2026, time.November, 5, 12, 0, 0, 0, time.UTC)
	client = netip.MustParseAddr("192.0.2.1")
)

// desk is a reception with a real store, a clock that stands and ids that count.
type desk struct {
	*intake.Service
	store *store.Store
	rows  *store.Reader
	now   time.Time
	close func()
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	database := storetest.Database(t)
	s, err := store.Open(t.Context(), database, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	closeStore := sync.OnceFunc(func() { s.Close() })
	t.Cleanup(closeStore)
	rows, err := store.OpenReader(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rows.Close() })
	d := &desk{store: s, rows: rows, now: noon, close: closeStore}
	var count atomic.Int64
	d.Service = &intake.Service{
		Brand: brand, Store: s, Limiter: limit.Off{},
		Covers:  func(lead.Service, string) bool { return false },
		Payout:  func(lead.Service, string) *string { return nil },
		Queued:  func() {},
		Wording: d.wording, Stated: brand.ConsentStated().Ref(),
		Now:   func() time.Time { return d.now },
		NewID: func(prefix string, _ time.Time) string { return fmt.Sprint(prefix, count.Add(1)) },

		FormTokenKey: formKey,
	}
	return d
}

// wording knows the words of our own form, and asks the store about all others.
func (d *desk) wording(ctx context.Context, hash string) (lead.ConsentText, bool, error) {
	if shown := brand.ConsentShown(); hash == shown.Ref().Hash {
		return shown, true, nil
	}
	texts, err := d.store.ConsentTexts(ctx)
	text, found := texts[hash]
	return text, found, err
}

// fields are the members of a request, on top of a complete one.
type fields map[string]lead.Value

// order is a complete request for house cleaning with some fields changed.
func order(changes fields) *intake.Submission {
	given := fields{
		"service_type": lead.Quoted("house_cleaning"), "zip_code": lead.Quoted("33139"),
		"customer_name": lead.Quoted("Pat Example"), "customer_phone": lead.Quoted("305-555-0123"),
		"consent_to_contact": lead.Bool(true),
	}
	for name, value := range changes {
		given[name] = value
	}
	raw := lead.IntakeInput.New()
	for name, value := range given {
		raw.Set(name, value)
	}
	return &intake.Submission{Raw: raw, Client: client, Evidence: lead.Evidence{Door: lead.DoorJSON, Client: client.String(), RequestID: "req_1"}}
}

func plumbing(changes fields) *intake.Submission {
	all := fields{"service_type": lead.Quoted("plumbing"), "consent_to_contact": lead.Bool(false)}
	for name, value := range changes {
		all[name] = value
	}
	return order(all)
}

func withKey(key string, o *intake.Submission) *intake.Submission {
	o.Keys = []string{key}
	return o
}

func (d *desk) submit(t *testing.T, o *intake.Submission) lead.Receipt {
	t.Helper()
	receipt, err := d.Submit(t.Context(), o)
	if err != nil {
		t.Fatalf("refused: %v", err)
	}
	return receipt
}

// refused submits an order that must be refused, and gives the refusal.
func (d *desk) refused(t *testing.T, o *intake.Submission, kind lead.Kind) *lead.Error {
	t.Helper()
	receipt, err := d.Submit(t.Context(), o)
	return mustBe(t, err, kind, receipt)
}

func mustBe(t *testing.T, err error, kind lead.Kind, instead any) *lead.Error {
	t.Helper()
	var told *lead.Error
	if !errors.As(err, &told) || told.Kind != kind {
		t.Fatalf("got %+v and %v, want a refusal of kind %s", instead, err, kind)
	}
	return told
}

// kept are the leads in the store, newest first.
func (d *desk) kept(t *testing.T) []lead.Lead {
	t.Helper()
	list, err := d.rows.Newest(context.Background(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func (d *desk) mustKeep(t *testing.T, n int) {
	t.Helper()
	if kept := d.kept(t); len(kept) != n {
		t.Fatalf("%d leads are kept, want %d", len(kept), n)
	}
}
