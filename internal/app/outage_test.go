package app_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/internal/app/apptest"
	"foyer/test/postgres"
	"foyer/test/stopwatch"
)

// TestDatabaseDown stops the database server of two processes. Requests that need no store still work, and each process counts
// for itself; requests that need the store are refused at once; and when the server is back, the processes share a limit again.
func TestDatabaseDown(t *testing.T) {
	server := postgres.Start(t, postgres.Options{Fast: true})
	database := server.Database(t)
	one, other := apptest.StartOn(t, database, "--rate-limit", "1/day burst 1"), apptest.StartOn(t, database, "--rate-limit", "1/day burst 1")
	for range 4 { // of ten tries
		wantDryRun(t, one, "validated")
	}
	if err := server.Stop(postgres.Fast); err != nil {
		t.Fatal(err)
	}
	wantStoreUnavailable(t, one)
	time.Sleep(time.Second) // the background jobs have noticed as well
	for range 6 {
		wantDryRun(t, one, "validated")
	}
	wantDryRun(t, one, "rate_limited")
	wantStoreUnavailable(t, other)
	for range 10 {
		wantDryRun(t, other, "validated")
	}
	wantDryRun(t, other, "rate_limited")

	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*apptest.Service{"one": one, "the other": other} {
		if !eventually(func() bool {
			return s.ViaJSON(t, apptest.Request{With: map[string]any{"dry_run": true}}).Verdict == "validated"
		}) {
			t.Fatalf("%s process does not share its counts again", name)
		}
	}
	if !eventually(func() bool { return one.ViaJSON(t, apptest.Request{}).Verdict == "collected" }) {
		t.Fatal("no lead is taken when the server is back")
	}
	if !eventually(func() bool { return other.ViaJSON(t, apptest.Request{}).Verdict == "rate_limited" }) {
		t.Error("the other process does not know of the lead that was taken")
	}
}

// TestDatabaseHangs pauses the database server: a server that does not answer takes longest to detect.
func TestDatabaseHangs(t *testing.T) {
	server := postgres.Start(t, postgres.Options{Fast: true})
	s := apptest.StartOn(t, server.Database(t))
	wantDryRun(t, s, "validated") // the first call also loads the OpenAPI document, for the test itself
	if err := server.Pause(); err != nil {
		t.Fatal(err)
	}
	watch := stopwatch.Start()
	wantDryRun(t, s, "validated")
	if took := watch.Stop(); took > 2*time.Second {
		t.Errorf("a dry run took %v", took)
	}
	wantStoreUnavailable(t, s)
	server.Resume()
	if !eventually(func() bool { return s.ViaJSON(t, apptest.Request{}).Verdict == "collected" }) {
		t.Fatal("no lead is taken when the server is back")
	}
}

// TestBuyerAnswerSurvivesDatabaseOutage stops the database server while a buyer decides. The answer is saved when the server is
// back, and the buyer is not asked twice.
func TestBuyerAnswerSurvivesDatabaseOutage(t *testing.T) {
	server := postgres.Start(t, postgres.Options{Fast: true})
	s := apptest.StartOn(t, server.Database(t), "--allow-private-buyers")
	var asked sync.Once
	asking, release := make(chan struct{}), make(chan struct{})
	n := newTestBuyer(t, 200, `{"decision":"accept"}`)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.Config.Handler.ServeHTTP(w, r)
		asked.Do(func() { close(asking); <-release })
	}))
	t.Cleanup(slow.Close)
	addBuyer(t, s, "buyer_one", slow.URL, nil)
	id := submitHVAC(t, s).LeadID // held until the buyer is known
	<-asking
	if err := server.Stop(postgres.Fast); err != nil {
		t.Fatal(err)
	}
	close(release)
	time.Sleep(time.Second) // the answer comes while it cannot be saved
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	if !eventually(func() bool {
		return strings.Contains(string(s.Send(t, http.MethodGet, "/v1/leads/"+id, "").Body), `"forwarded"`)
	}) {
		t.Error("the lead is not forwarded")
	}
	if got := strings.Join(n.messageTypes(), " "); got != "lead.offered lead.delivered" {
		t.Errorf("the buyer got %q", got)
	}
}

// wantDryRun expects a verdict about a dry run.
func wantDryRun(t *testing.T, s *apptest.Service, verdict string) {
	t.Helper()
	if got := s.ViaJSON(t, apptest.Request{With: map[string]any{"dry_run": true}}); got.Verdict != verdict {
		t.Errorf("a dry run: got %q, want %q", got.Verdict, verdict)
	}
}

// wantStoreUnavailable expects every request that needs the store to be refused, even before the first lead has failed, and the
// plumbing number to be available all the same.
func wantStoreUnavailable(t *testing.T, s *apptest.Service) {
	t.Helper()
	const number = "+18005550199"
	for _, c := range []struct{ method, path, body, text string }{
		{http.MethodGet, "/v1/leads/lead_" + strings.Repeat("a", 35), "", "couldn't be looked up right now"},
		{http.MethodGet, "/health", "", ""},
		{http.MethodGet, "/consent/" + strings.Repeat("0", 64), "", "couldn't be looked up right now"}, // another process may know it
		{http.MethodPost, "/v1/intake", apptest.Request{}.JSON(), "nothing was accepted"},
		{http.MethodPost, "/v1/intake", apptest.Request{With: map[string]any{"service_type": "plumbing"}}.JSON(), "(800) 555-0199"},
		{http.MethodGet, "/v1/leads/lead_" + strings.Repeat("a", 35), "", "couldn't be looked up right now"},
		{http.MethodGet, "/health", "", ""},
	} {
		watch := stopwatch.Start()
		r := s.Send(t, c.method, c.path, c.body)
		if took := watch.Stop(); took > 3*time.Second {
			t.Errorf("%s %s was refused after %v", c.method, c.path, took)
		}
		if r.Status != 503 || r.Header.Get("Retry-After") == "" || !strings.Contains(string(r.Body), c.text) {
			t.Errorf("%s %s: got %d %s", c.method, c.path, r.Status, r.Body)
		}
	}
	if r := s.Send(t, http.MethodGet, "/plumbing", ""); r.Status != 200 || !strings.Contains(string(r.Body), number) {
		t.Errorf("/plumbing: got %d", r.Status)
	}
	if r := s.RPC(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_plumbing_call_number"}}`); !strings.Contains(string(r.Body), number) {
		t.Errorf("the tool: %s", r.Body)
	}
}

// eventually waits up to 15 seconds for a condition; only a failing test waits that long.
func eventually(condition func() bool) bool {
	for deadline := time.Now().Add(15 * time.Second); !condition(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}
