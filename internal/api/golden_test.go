package api_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/store/storetest"
)

func TestGoldenDocuments(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--base-url", apptest.PublicURL)
	apptest.Golden(t, "openapi.json", s.Send(t, http.MethodGet, "/openapi.json", "").Body)
	apptest.Golden(t, "catalog.json", s.Send(t, http.MethodGet, "/v1/services", "").Body)
}

// TestGoldenErrors records every refusal as a client sees it: status, headers that matter, body.
func TestGoldenErrors(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--base-url", apptest.PublicURL, "--rate-limit", "2/day burst 2")
	good := apptest.Request{}.JSON()
	var out bytes.Buffer
	for _, c := range []struct{ name, method, path, body, header string }{
		{"unknown address", "GET", "/nowhere", "", ""},
		{"unknown lead", "GET", "/v1/leads/lead_aaaaaaaaaaaaaaaaaaaaaaaaaa", "", ""},
		{"wrong method", "DELETE", "/v1/intake", "", ""},
		{"tools take POST only", "GET", "/mcp", "", ""},
		{"a return without a signature", "POST", "/v1/offers/offer_1/returned", `{"offer_id":"offer_1","reason":"The number is not in service"}`, ""},
		{"body too large", "POST", "/v1/intake", strings.Repeat(" ", 64<<10) + good, ""},
		{"neither JSON nor form", "POST", "/v1/intake", "<xml/>", "Content-Type: text/xml"},
		{"compressed", "POST", "/v1/intake", good, "Content-Encoding: gzip"},
		{"no body", "POST", "/v1/intake", "", ""},
		{"no object", "POST", "/v1/intake", "[1]", ""},
		{"broken JSON", "POST", "/v1/intake", `{"zip_code": 33139`, ""},
		{"trailing data", "POST", "/v1/intake", good + "{}", ""},
		{"JSON as a form", "POST", "/v1/intake", good, "Content-Type: application/x-www-form-urlencoded"},
		{"empty object", "POST", "/v1/intake", "{}", ""},
		{"misspelt dry_run in the address", "POST", "/v1/intake?dryRun=true", good, ""},
		{"blank dry_run in the address", "POST", "/v1/intake?dry_run", good, ""},
		{"key too long", "POST", "/v1/intake", good, "Idempotency-Key: " + strings.Repeat("k", 256)},
		{"key kept", "POST", "/v1/intake", good, "Idempotency-Key: one"},
		{"key reused", "POST", "/v1/intake", apptest.Request{With: map[string]any{"zip_code": "90210"}}.JSON(), "Idempotency-Key: one"},
		{"over the limit", "POST", "/v1/intake", good, ""},
	} {
		header := strings.SplitN(c.header+": ", ": ", 3)
		r := s.Send(t, c.method, c.path, c.body, header[0], strings.TrimSuffix(header[1], ": "))
		fmt.Fprintf(&out, "## %s\n%s %s\n%d\n", c.name, c.method, c.path, r.Status)
		for _, name := range []string{"Allow", "Accept-Post", "WWW-Authenticate", "Retry-After", "RateLimit", "RateLimit-Policy", "Content-Type"} {
			if v := r.Header.Get(name); v != "" {
				fmt.Fprintf(&out, "%s: %s\n", name, v)
			}
		}
		fmt.Fprintf(&out, "%s\n\n", r.Body)
	}
	apptest.Golden(t, "errors.txt", apptest.Normalize(out.Bytes()))
}
