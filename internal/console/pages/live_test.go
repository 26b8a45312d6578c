package pages_test

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"foyer/internal/app/apptest"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// TestLiveFeed wants new leads to appear by themselves, without persons, and a feed to end with its session.
func TestLiveFeed(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--rate-limit", "off")
	p := signIn(t, s, "pat", store.RoleViewer)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	events := feed(ctx, t, p)
	lead := s.ViaJSON(t, apptest.Request{With: map[string]any{"service_type": "hvac", "customer_name": "Canary Person", "zip_code": "33139"}}).LeadID
	for text := range events {
		if strings.Contains(text, "Canary") {
			t.Fatalf("a person is shown: %s", text)
		}
		if strings.Contains(text, lead) {
			if !strings.Contains(text, "<tr data-href=") || !strings.Contains(text, "collected") {
				t.Errorf("the row: %s", text)
			}
			break
		}
	}
	if ctx.Err() != nil {
		t.Fatal("the lead never appeared")
	}
	second := feed(ctx, t, p) // what is known is there at once
	if text := <-second; !strings.Contains(text, lead) {
		t.Errorf("a second page: %s", text)
	}
	p.does("/sign-out")
	last := ""
	for text := range second { // until it ends
		last = text
	}
	if ctx.Err() != nil {
		t.Error("a feed goes on after its session")
	}
	if last != "event: signed-outdata:" {
		t.Errorf("the end of the feed: %q", last)
	}
	if text := <-feed(ctx, t, p); text != "event: signed-outdata:" { // a page that connects again
		t.Errorf("without a session: %q", text)
	}
}

// TestAnOpenPageDoesNotKeepASession sends what an open page sends by itself, and then what its person does.
func TestAnOpenPageDoesNotKeepASession(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--rate-limit", "off")
	p := signIn(t, s, "pat", store.RoleOwner)
	storetest.MustExec(t, s.Database, `UPDATE sessions SET seen_at = seen_at - 3600000000`)
	seen := func() int {
		return storetest.QueryInt(t, storetest.Raw(t, s.Database), `SELECT max(seen_at) / 1000000 FROM sessions`)
	}
	before := seen()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	<-feed(ctx, t, p)
	p.get("", "Sec-Fetch-Dest", "empty")
	if seen() != before {
		t.Error("an open page counts as use")
	}
	p.get("", "Sec-Fetch-Dest", "document")
	if seen() == before {
		t.Error("a visit does not count as use")
	}
}

// feed follows the leads.
func feed(ctx context.Context, t *testing.T, p *person) <-chan string {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.s.URL+"/console/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Cookie", "foyer-session="+p.cookie)
	req.Header.Set("Accept", "text/event-stream")
	res, err := apptest.Client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %s", res.StatusCode, res.Header.Get("Content-Type"))
	}
	events := make(chan string)
	go func() {
		defer close(events)
		lines := bufio.NewScanner(res.Body)
		for message := ""; lines.Scan(); {
			if line := lines.Text(); line != "" {
				message += line
				continue
			}
			select {
			case events <- message:
			case <-ctx.Done():
				return
			}
			message = ""
		}
	}()
	return events
}
