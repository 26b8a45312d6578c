package api_test

import (
	"strings"
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/store/storetest"
)

// TestFormRedirects tests the response to a form post, by its Accept header and outcome.
func TestFormRedirects(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--base-url", apptest.PublicURL)
	plumbing := strings.Replace(apptest.GoodForm, "hvac", "plumbing", 1)
	refused := strings.Replace(apptest.GoodForm, "33139", "x", 1)
	browser := "text/html,application/xhtml+xml,*/*;q=0.8"
	thanks := apptest.PublicURL + "/thanks?ref=lead_…"
	for _, c := range []struct {
		name, body, query, accept string
		status                    int
		location, contentType     string
	}{
		{"accepted", apptest.GoodForm, "", browser, 303, thanks, ""},
		{"accepted, no Accept header", apptest.GoodForm, "", "", 303, thanks, ""},
		{"accepted, JSON requested", apptest.GoodForm, "", "application/json", 202, "", "application/json"},
		{"accepted, both named", apptest.GoodForm, "", "application/json, text/html", 303, thanks, ""},
		{"plumbing", plumbing, "", browser, 303, apptest.PublicURL + "/plumbing", ""},
		{"dry run", apptest.GoodForm + "&dry_run=yes", "", browser, 303, apptest.PublicURL + "/thanks?dry_run=true", ""},
		{"dry run in the address", apptest.GoodForm, "?dry_run=1", browser, 303, apptest.PublicURL + "/thanks?dry_run=true", ""},
		{"dry run, JSON requested", apptest.GoodForm, "?dry_run=true", "application/json", 200, "", "application/json"},
		{"a redirect target is never taken", apptest.GoodForm + "&redirect=https://evil.example.net", "?next=//evil.example.net", browser, 303, thanks, ""},
		{"refused in a browser", refused, "", browser, 422, "", "text/html; charset=utf-8"},
		{"refused elsewhere", refused, "", "*/*", 422, "", "application/json"},
		{"refused, JSON requested", refused, "", "application/json", 422, "", "application/json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := s.Send(t, "POST", "/v1/intake"+c.query, c.body, "Content-Type", apptest.FormType, "Accept", c.accept)
			if r.Status != c.status || !matchesLocation(r.Header.Get("Location"), c.location) || (c.contentType != "" && r.Header.Get("Content-Type") != c.contentType) {
				t.Errorf("got %d, Location %q, Content-Type %q", r.Status, r.Header.Get("Location"), r.Header.Get("Content-Type"))
			}
		})
	}
}

// matchesLocation compares a Location header. An ellipsis stands for the rest of an id.
func matchesLocation(location, want string) bool {
	prefix, cut := strings.CutSuffix(want, "…")
	return location == want || cut && strings.HasPrefix(location, prefix) && len(location) == len(prefix)+35
}

func TestIdempotencyKey(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	post := func(body, key string) (int, string) {
		r := s.Send(t, "POST", "/v1/intake", body, "Idempotency-Key", key)
		return r.Status, apptest.ParseOutcome(t, r.Body).LeadID
	}
	good := apptest.Request{}.JSON()
	_, first := post(good, "a")
	if status, again := post(good, "a"); status != 202 || again != first {
		t.Errorf("the same key and request: got %d %s, want 202 %s", status, again, first)
	}
	spaced := strings.ReplaceAll(good, ",", " ,\n")
	if _, again := post(spaced, "a"); again != first {
		t.Error("the parsed request is compared, not the bytes")
	}
	if _, other := post(good, "b"); other == first {
		t.Error("another key is another lead")
	}
	if status, _ := post(apptest.Request{With: map[string]any{"zip_code": "90210"}}.JSON(), "a"); status != 422 {
		t.Errorf("the same key with another request: got %d, want 422", status)
	}
	if status, _ := post(good, ""); status != 422 {
		t.Errorf("a blank key: got %d, want 422", status)
	}
	dry := apptest.Request{With: map[string]any{"dry_run": true}}.JSON()
	post(dry, "c")
	if status, id := post(good, "c"); status != 202 || !strings.HasPrefix(id, "lead_") {
		t.Errorf("a dry run was remembered: got %d %s", status, id)
	}
}

// TestRefusedDryRunStaysDryRun sends refused dry runs from a browser: the form in the response must still be a dry run.
func TestRefusedDryRunStaysDryRun(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	refused := strings.Replace(apptest.GoodForm, "33139", "x", 1)
	for name, c := range map[string]struct{ query, body string }{
		"in the body": {"", refused + "&dry_run=yes"}, "in the address": {"?dry_run=true", refused},
		"misspelt": {"", apptest.GoodForm + "&dryRun=true"}, "blank in the address": {"?dry_run", apptest.GoodForm},
		"in a broken body": {"", "dry_run=true&" + apptest.GoodForm + "&notes=100%"},
	} {
		r := s.Send(t, "POST", "/v1/intake"+c.query, c.body+"&source_agent=example", "Content-Type", apptest.FormType, "Accept", "text/html")
		page := string(r.Body)
		if r.Status != 422 || !strings.Contains(page, `<input type="hidden" name="dry_run" value="true">`) || !strings.Contains(page, "This is only a check") || !strings.Contains(page, `name="source_agent" value="example"`) {
			t.Errorf("%s: %d, and the form is not a dry run", name, r.Status)
		}
	}
	r := s.Send(t, "POST", "/v1/intake", refused, "Content-Type", apptest.FormType, "Accept", "text/html")
	if strings.Contains(string(r.Body), `name="dry_run"`) {
		t.Error("the form of a real request is a dry run")
	}
	r = s.Send(t, "POST", "/v1/intake?dry_run=true", apptest.GoodForm+"&notes="+strings.Repeat("x", 70_000), "Content-Type", apptest.FormType, "Accept", "text/html")
	if r.Status != 413 || !strings.Contains(string(r.Body), `<input type="hidden" name="dry_run" value="true">`) {
		t.Errorf("too large: %d, and the form is not a dry run", r.Status)
	}
	if r := s.Send(t, "POST", "/v1/intake?x=1;dry_run=true", apptest.Request{}.JSON()); r.Status != 422 {
		t.Errorf("a dry_run behind a semicolon: %d", r.Status)
	}
}
