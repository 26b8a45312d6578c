package main_test

import (
	"encoding/json"
	"errors"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

var update = flag.Bool("update", false, "write the golden files again")

// golden compares output with a golden file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s changed (-want +got); if that is meant, run go test ./cmd/foyer -run Timeline -update:\n%s", path, diff)
	}
}

// after returns a time on the day of the sample leads.
func after(d time.Duration) time.Time { return storetest.Noon.Add(d) }

// newLongHistory creates a database with a lead that was held, released, declined, unanswered, delivered and returned.
func newLongHistory(t *testing.T) (database string) {
	t.Helper()
	database = storetest.Database(t)
	st, err := store.Open(t.Context(), database, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	l := storetest.FullLead("lead_1")
	l.Status, l.Evidence.Consent = lead.Collected, lead.ConsentRef{}
	storetest.Save(t, st, l)
	storetest.Save(t, st, storetest.Lead("lead_2"))
	if err := errors.Join(st.Update(t.Context(), addHistory), st.Close()); err != nil {
		t.Fatal(err)
	}
	return database
}

func addHistory(p *store.Tx) error {
	seq, err := p.LeadOf("lead_1")
	change := func(d time.Duration, from, to lead.Status, reason string) {
		err = errors.Join(err, p.Change(seq, from, lead.Change{At: after(d), Status: to, Actor: lead.ByService, Reason: reason}))
	}
	offer := func(o buyer.Offer, d time.Duration, state buyer.OfferState) {
		o.Lead, o.At, o.State = seq, after(d), buyer.OfferOpen
		err = errors.Join(err, p.AddOffer(o))
		o.State = state
		err = errors.Join(err, p.PutOffer(o, buyer.OfferOpen))
	}
	attempt := func(a buyer.Attempt, d time.Duration) {
		a.Lead, a.At = seq, after(d)
		err = errors.Join(err, p.AddAttempt(a))
	}
	for id, name := range map[string]string{"buyer_a": "Cool Air", "buyer_b": "Breeze & Sons"} {
		err = errors.Join(err, p.PutBuyer(buyer.Buyer{ID: id, Terms: buyer.Terms{Name: name}, State: buyer.Active, CreatedAt: after(0), UpdatedAt: after(0)}))
	}
	change(time.Hour, lead.Collected, lead.Received, "a buyer that covers it can be asked")
	offer(buyer.Offer{ID: "offer_1", Buyer: "buyer_a", LeadID: "lead_1a", Code: buyer.CodeCap}, time.Hour, buyer.OfferDeclined)
	attempt(buyer.Attempt{Offer: "offer_1", Kind: "lead.offered", URL: "https://cool.example.com/leads", Took: 34 * time.Millisecond, Status: 200, Decision: "reject cap", Answer: `{"decision":"reject",` + "\n\t" + `"code":"cap"}`}, time.Hour)
	offer(buyer.Offer{ID: "offer_2", Buyer: "buyer_gone"}, time.Hour+time.Second, buyer.OfferFailed)
	attempt(buyer.Attempt{Offer: "offer_2", Kind: "lead.offered", Took: 15 * time.Second, Failure: "timeout: no answer in 15s", Decision: "failed"}, time.Hour+time.Second)
	attempt(buyer.Attempt{Offer: "offer_2", Kind: "lead.offered", Took: 1500 * time.Microsecond, Status: 500, Decision: "failed", Answer: "\x1b[31m" + strings.Repeat("Oops! ", 100)}, time.Hour+18*time.Second)
	attempt(buyer.Attempt{Offer: "offer_2", Kind: "lead.offered", URL: "https://gone.example.com/leads", Decision: buyer.Unknown}, time.Hour+19*time.Second)
	change(time.Hour+20*time.Second, lead.Received, lead.Collected, "nobody who covers it took it")
	change(2*time.Hour, lead.Collected, lead.Received, "a buyer that covers it can be asked")
	offer(buyer.Offer{ID: "offer_3", Buyer: "buyer_b", OneStep: true, Ref: "job\x1b]0;\a 77"}, 2*time.Hour, buyer.OfferDelivered)
	attempt(buyer.Attempt{Offer: "offer_3", Kind: "lead.delivered", Status: 202, Decision: "accept"}, 2*time.Hour)
	change(2*time.Hour, lead.Received, lead.Forwarded, "accepted and acknowledged by buyer_b")
	return errors.Join(err, p.Return(buyer.Offer{ID: "offer_3", Buyer: "buyer_b", At: after(2 * time.Hour)}, "The number is not in service", after(26*time.Hour)),
		p.Returns().Put(buyer.Return{
			Offer: "offer_3", Buyer: "buyer_b", At: after(26 * time.Hour), Code: lead.ReturnBadContact, State: buyer.ReturnDenied, DecidedAt: after(27 * time.Hour), DecidedBy: "cli:ada", Note: "It rings \x1b]0;",
		}))
}

func TestTimelineOfLead(t *testing.T) {
	storetest.Parallel(t)
	database := newLongHistory(t)
	show, stderr, code := run(t, "leads", "show", "lead_1", "--database", database)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	golden(t, "timeline.txt", show)
	if strings.ContainsAny(show, "\x1b\a") {
		t.Error("what a buyer wrote reaches the terminal as it is")
	}
	document, stderr, code := run(t, "leads", "show", "lead_1", "--json", "--database", database)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	golden(t, "timeline.json", document)
}

// TestFindLeadByOffer finds a lead by an offer's id, which is all that a buyer's engineer may have.
func TestFindLeadByOffer(t *testing.T) {
	storetest.Parallel(t)
	database := newLongHistory(t)
	want, _, _ := run(t, "leads", "show", "lead_1", "--database", database)
	for _, offer := range []string{"offer_1", "offer_3"} {
		if show, stderr, code := run(t, "leads", "show", offer, "--database", database); code != 0 || show != want {
			t.Errorf("%s (exit %d): %s%s", offer, code, show, stderr)
		}
	}
	if _, stderr, code := run(t, "leads", "show", "offer_4", "--database", database); code != 1 || stderr != "foyer: There is no offer with this id.\n" {
		t.Errorf("an offer that was never made (exit %d): %s", code, stderr)
	}
}

// TestShortTimeline checks that a lead without events has a timeline, too, and that the JSON has empty lists.
func TestShortTimeline(t *testing.T) {
	storetest.Parallel(t)
	database := newLongHistory(t)
	show, _, code := run(t, "leads", "show", "lead_2", "--database", database)
	if _, line, _ := strings.Cut(show, "DETAILS\n"); code != 0 || line != "2026-11-05T12:00:00.000Z  arrived  via JSON API\n" {
		t.Errorf("exit %d:\n%s", code, show)
	}
	document, _, _ := run(t, "leads", "show", "lead_2", "--json", "--database", database)
	var lists map[string]any
	if err := json.Unmarshal([]byte(document), &lists); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"history", "offers", "attempts"} {
		if list, isList := lists[name].([]any); !isList || len(list) != 0 {
			t.Errorf("%s is %v", name, lists[name])
		}
	}
}
