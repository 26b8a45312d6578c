package console_test

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/catalog"
	"foyer/internal/console"
	"foyer/internal/operator/access"
	"foyer/internal/store/storetest"
)

// TestDocs shows the docs to who holds a token: a person types it into a form, a program sends the header. Nobody else learns anything.
func TestDocs(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t)
	token := s.Token(t, access.NewToken{Name: "reader"})
	shown := func(r apptest.Reply) bool {
		page := string(r.Body)
		return r.Status == 200 && strings.Contains(page, "POST /v1/operator/buyers/{buyer}/rotate-secret") && strings.Contains(page, "credit_limit_cents") && r.Header.Get("Cache-Control") == "no-store"
	}
	post := func(token string) apptest.Reply {
		return s.Send(t, "POST", catalog.PageOperatorDocs, url.Values{"token": {token}}.Encode(), "Content-Type", apptest.FormType, "Accept", "text/html")
	}
	if r := post(token); !shown(r) {
		t.Errorf("by the form: %d %.300s", r.Status, r.Body)
	}
	if r := s.Send(t, "GET", catalog.PageOperatorDocs, "", "Authorization", "Bearer "+token); !shown(r) {
		t.Errorf("by the header: %d %.300s", r.Status, r.Body)
	}
	for name, r := range map[string]apptest.Reply{
		"no token":           s.Send(t, "GET", catalog.PageOperatorDocs, "", "Accept", "text/html"),
		"a wrong token":      post("foy_wrong"),
		"a token in the URL": s.Send(t, "GET", catalog.PageOperatorDocs+"?token="+token, "", "Accept", "text/html"),
		"an empty form":      post(""),
	} {
		page := string(r.Body)
		if r.Status != http.StatusUnauthorized || strings.Contains(page, "/v1/operator") || !strings.Contains(page, `name="token"`) || strings.Contains(page, token) || r.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %s", name, r.Status, page)
		}
	}
	for _, path := range []string{"/", "/docs", "/docs/buyers", "/llms.txt", "/sitemap.xml", "/openapi.json", "/robots.txt"} {
		if r := s.Send(t, "GET", path, ""); strings.Contains(string(r.Body), "docs/operator") || strings.Contains(string(r.Body), console.Prefix) {
			t.Errorf("%s speaks of it", path)
		}
	}
}

// TestOwnListener serves the API on an address of its own, and nowhere else.
func TestOwnListener(t *testing.T) {
	t.Parallel()
	var log lockedBuffer
	s := apptest.StartWithLog(t, storetest.Database(t), slog.New(slog.NewJSONHandler(&log, nil)), "--console-addr", "127.0.0.1:0", "--base-url", "http://foyer.example.com")
	token := s.Token(t, access.NewToken{Name: "reader"})
	for _, path := range []string{console.Prefix, console.Prefix + "/buyers", catalog.PageOperatorDocs} {
		if r := s.Send(t, "GET", path, "", "Authorization", "Bearer "+token); r.Status != http.StatusNotFound {
			t.Errorf("on the public address, %s answers %d", path, r.Status)
		}
	}
	var address string
	(&client{t, s, ""}).await("the address is logged", func() bool {
		log.Lock()
		defer log.Unlock()
		_, rest, found := strings.Cut(log.String(), `"console_address":"`)
		address, _, _ = strings.Cut(rest, `"`)
		return found
	})
	for path, want := range map[string]int{console.Prefix + "/buyers": 200, catalog.PageOperatorDocs: 200, "/": 404, "/v1/intake": 404, "/mcp": 404} {
		req, _ := http.NewRequestWithContext(t.Context(), "GET", "http://"+address+path, nil)
		req.Header.Set("Authorization", "Bearer "+token)
		r, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if r.Body.Close(); r.StatusCode != want {
			t.Errorf("on its own address, %s answers %d", path, r.StatusCode)
		}
	}
}
