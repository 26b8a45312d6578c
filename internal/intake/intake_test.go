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
	"foyer/internal/source"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

var (
	brand  = catalog.Brand{Name: "Foyer", Contact: "hello@example.com", BaseURL: "https://foyer.example.com", Number: "+18005550142"}
	noon   = time.Date(2026, time.November, 5, 12, 0, 0, 0, time.UTC)
	client = netip.MustParseAddr("192.0.2.1")
)

// fixture is a Service with a real store, a fixed clock and sequential ids.
type fixture struct {
	*intake.Service
	store *store.Store
	rows  storetest.Reader
	now   time.Time
	close func()

	sources map[string]*source.Source
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	database := storetest.Database(t)
	s, err := store.Open(t.Context(), database, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	closeStore := sync.OnceFunc(func() { s.Close() })
	t.Cleanup(closeStore)
	f := &fixture{store: s, rows: storetest.OpenReader(t, database), now: noon, close: closeStore}
	var count atomic.Int64
	f.Service = &intake.Service{
		Brand: brand, Store: s, Privacy: storetest.Operator(s, noon), Limiter: limit.Off{},
		Covers:        func(lead.Service, string, string) bool { return false },
		Payout:        func(lead.Service, string) *string { return nil },
		Queued:        func() {},
		Sources:       func(key string) *source.Source { return f.sources[key] },
		ConsentLookup: f.wording, Stated: brand.ConsentStated().Ref(),
		Now:   func() time.Time { return f.now },
		NewID: func(prefix string, _ time.Time) string { return fmt.Sprint(prefix, count.Add(1)) },

		FormTokenKey: formKey,
	}
	return f
}

// wording returns the text of our own form, and looks up all others in the store.
func (f *fixture) wording(ctx context.Context, hash string) (lead.ConsentText, bool, error) {
	if shown := brand.ConsentShown(); hash == shown.Ref().Hash {
		return shown, true, nil
	}
	texts, err := f.store.ConsentTexts(ctx)
	text, found := texts[hash]
	return text, found, err
}

// fields are values that replace those of a complete request.
type fields map[string]lead.Value

// submission returns a complete request for house cleaning with some fields changed.
func submission(changes fields) *intake.Submission {
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
	return &intake.Submission{Raw: raw, Client: client, Evidence: lead.Evidence{Channel: lead.ChannelJSON, Client: client.String(), RequestID: "req_1"}}
}

func plumbing(changes fields) *intake.Submission {
	all := fields{"service_type": lead.Quoted("plumbing"), "consent_to_contact": lead.Bool(false)}
	for name, value := range changes {
		all[name] = value
	}
	return submission(all)
}

func withKey(key string, sub *intake.Submission) *intake.Submission {
	sub.Keys = []string{key}
	return sub
}

func (f *fixture) submit(t *testing.T, sub *intake.Submission) lead.Receipt {
	t.Helper()
	receipt, err := f.Submit(t.Context(), sub)
	if err != nil {
		t.Fatalf("refused: %v", err)
	}
	return receipt
}

// refused submits a request that must be refused, and returns the error.
func (f *fixture) refused(t *testing.T, sub *intake.Submission, kind lead.Kind) *lead.Error {
	t.Helper()
	receipt, err := f.Submit(t.Context(), sub)
	return wantKind(t, err, kind, receipt)
}

func wantKind(t *testing.T, err error, kind lead.Kind, instead any) *lead.Error {
	t.Helper()
	var refusal *lead.Error
	if !errors.As(err, &refusal) || refusal.Kind != kind {
		t.Fatalf("got %+v and %v, want a refusal of kind %s", instead, err, kind)
	}
	return refusal
}

// kept returns the leads in the store, newest first.
func (f *fixture) kept(t *testing.T) []lead.Lead {
	t.Helper()
	list, err := f.rows.Newest(context.Background(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func (f *fixture) mustKeep(t *testing.T, n int) {
	t.Helper()
	if kept := f.kept(t); len(kept) != n {
		t.Fatalf("%d leads are kept, want %d", len(kept), n)
	}
}
