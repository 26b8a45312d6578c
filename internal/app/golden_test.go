package app_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// publicURL is the base URL in golden files, so that they do not change with the port.
const publicURL = "https://foyer.example.com"

// golden compares what clients see with the golden file.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s changed (-want +got); if that is meant, run make golden:\n%s", path, diff)
	}
}

func TestGoldenDocuments(t *testing.T) {
	s := start(t, "--base-url", publicURL)
	for path, file := range map[string]string{
		"/openapi.json": "openapi.json",
		"/v1/services":  "catalog.json",
		"/llms.txt":     "llms.txt",
	} {
		golden(t, file, s.send(t, http.MethodGet, path, "").body)
	}
	list := s.rpc(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	golden(t, "tools-list.json", indent(t, list.body))
	initialize := s.rpc(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`)
	golden(t, "initialize.json", indent(t, initialize.body))
}

// TestToolListIsShort keeps the tool list, which an assistant must read first, under 3,000 tokens.
func TestToolListIsShort(t *testing.T) {
	s := start(t)
	list := s.rpc(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if tokens := len(list.body) / 4; tokens >= 3000 {
		t.Errorf("tools/list takes about %d tokens, want fewer than 3000", tokens)
	}
}

// TestGoldenErrors records every refusal as a client sees it: status, headers that matter, body.
func TestGoldenErrors(t *testing.T) {
	s := start(t, "--base-url", publicURL, "--rate-limit", "2/day burst 2")
	good := intakeCase{}.asJSON()
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
		{"key reused", "POST", "/v1/intake", intakeCase{With: map[string]any{"zip_code": "90210"}}.asJSON(), "Idempotency-Key: one"},
		{"over the limit", "POST", "/v1/intake", good, ""},
	} {
		header := strings.SplitN(c.header+": ", ": ", 3)
		r := s.send(t, c.method, c.path, c.body, header[0], strings.TrimSuffix(header[1], ": "))
		fmt.Fprintf(&out, "## %s\n%s %s\n%d\n", c.name, c.method, c.path, r.status)
		for _, name := range []string{"Allow", "Accept-Post", "WWW-Authenticate", "Retry-After", "RateLimit", "RateLimit-Policy", "Content-Type"} {
			if v := r.header.Get(name); v != "" {
				fmt.Fprintf(&out, "%s: %s\n", name, v)
			}
		}
		fmt.Fprintf(&out, "%s\n\n", r.body)
	}
	golden(t, "errors.txt", normalize(out.Bytes()))
}

// normalize replaces what differs from run to run.
func normalize(text []byte) []byte {
	text = regexp.MustCompile(`(lead|dry|req)_[a-z0-9]{26,35}`).ReplaceAll(text, []byte("${1}_…"))
	return regexp.MustCompile(`(Retry-After: |t=)\d+`).ReplaceAll(text, []byte("${1}…"))
}

func indent(t *testing.T, body []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := json.Indent(&out, body, "", "  "); err != nil {
		t.Fatal(err)
	}
	return append(out.Bytes(), '\n')
}

// rpc sends one message to the MCP endpoint.
func (s *service) rpc(t *testing.T, message string) reply {
	t.Helper()
	return s.send(t, http.MethodPost, "/mcp", message, "Content-Type", "application/json",
		"Accept", "application/json, text/event-stream", "MCP-Protocol-Version", "2025-11-25")
}
