package app_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"foyer/internal/lead"
)

const formType = "application/x-www-form-urlencoded"

// goodForm is a minimal request as a browser sends it.
const goodForm = "service_type=hvac&zip_code=33139&customer_name=Pat+Example&customer_phone=305-555-0123&consent_to_contact=on"

func TestCatalogAndDocumentAreCached(t *testing.T) {
	s := start(t)
	for _, path := range []string{"/v1/services", "/openapi.json"} {
		t.Run(path, func(t *testing.T) {
			first := s.send(t, "GET", path, "")
			etag := first.header.Get("ETag")
			if first.status != 200 || etag == "" || !strings.Contains(first.header.Get("Cache-Control"), "max-age") {
				t.Fatalf("got %d, ETag %q, Cache-Control %q", first.status, etag, first.header.Get("Cache-Control"))
			}
			again := s.send(t, "GET", path, "", "If-None-Match", etag)
			if again.status != 304 || len(again.body) != 0 {
				t.Errorf("with its own ETag: got %d and %d bytes, want 304 and none", again.status, len(again.body))
			}
			head := s.send(t, "HEAD", path, "")
			if head.status != 200 || len(head.body) != 0 || head.header.Get("Content-Length") == "0" {
				t.Errorf("HEAD: got %d, %d bytes, length %s", head.status, len(head.body), head.header.Get("Content-Length"))
			}
			gzipped := s.send(t, "GET", path, "", "Accept-Encoding", "gzip")
			if gzipped.header.Get("Content-Encoding") != "gzip" || gzipped.header.Get("ETag") == etag {
				t.Errorf("gzip: encoding %q under the ETag %q", gzipped.header.Get("Content-Encoding"), gzipped.header.Get("ETag"))
			}
			reader, err := gzip.NewReader(strings.NewReader(string(gzipped.body)))
			if err != nil {
				t.Fatal(err)
			}
			if text, _ := io.ReadAll(reader); string(text) != string(first.body) {
				t.Error("gzip carries another document")
			}
		})
	}
}

func TestCORSAllowsAnyOrigin(t *testing.T) {
	s := start(t)
	for _, path := range []string{"/v1/services", "/v1/intake", "/v1/leads/lead_x", "/v1/offers/offer_x/returned", "/health", "/openapi.json", "/mcp"} {
		r := s.send(t, "OPTIONS", path, "", "Origin", "https://app.example.com", "Access-Control-Request-Method", "POST")
		if r.status != 204 || r.header.Get("Access-Control-Allow-Origin") != "*" || r.header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: got %d, origin %q", path, r.status, r.header.Get("Access-Control-Allow-Origin"))
		}
		if !strings.Contains(r.header.Get("Access-Control-Allow-Headers"), "Idempotency-Key") {
			t.Errorf("%s: allowed headers are %q", path, r.header.Get("Access-Control-Allow-Headers"))
		}
	}
	for _, method := range []string{"GET", "DELETE", "OPTIONS"} {
		r := s.send(t, method, "/v1/nowhere", "", "Origin", "https://app.example.com")
		if want := map[string]int{"GET": 404, "DELETE": 404, "OPTIONS": 204}[method]; r.status != want || r.header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s of an address under /v1 that is not there: %d, origin %q", method, r.status, r.header.Get("Access-Control-Allow-Origin"))
		}
	}
	if r := s.send(t, "GET", "/privacy", ""); r.header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("pages are open to other websites")
	}
}

// TestFormRedirects tests the response to a form post, by its Accept header and outcome.
func TestFormRedirects(t *testing.T) {
	s := start(t, "--base-url", publicURL)
	plumbing := strings.Replace(goodForm, "hvac", "plumbing", 1)
	refused := strings.Replace(goodForm, "33139", "x", 1)
	browser := "text/html,application/xhtml+xml,*/*;q=0.8"
	thanks := publicURL + "/thanks?ref=lead_…"
	for _, c := range []struct {
		name, body, query, accept string
		status                    int
		location, contentType     string
	}{
		{"accepted", goodForm, "", browser, 303, thanks, ""},
		{"accepted, no Accept header", goodForm, "", "", 303, thanks, ""},
		{"accepted, JSON requested", goodForm, "", "application/json", 202, "", "application/json"},
		{"accepted, both named", goodForm, "", "application/json, text/html", 303, thanks, ""},
		{"plumbing", plumbing, "", browser, 303, publicURL + "/plumbing", ""},
		{"dry run", goodForm + "&dry_run=yes", "", browser, 303, publicURL + "/thanks?dry_run=true", ""},
		{"dry run in the address", goodForm, "?dry_run=1", browser, 303, publicURL + "/thanks?dry_run=true", ""},
		{"dry run, JSON requested", goodForm, "?dry_run=true", "application/json", 200, "", "application/json"},
		{"a redirect target is never taken", goodForm + "&redirect=https://evil.example.net", "?next=//evil.example.net", browser, 303, thanks, ""},
		{"refused in a browser", refused, "", browser, 422, "", "text/html; charset=utf-8"},
		{"refused elsewhere", refused, "", "*/*", 422, "", "application/json"},
		{"refused, JSON requested", refused, "", "application/json", 422, "", "application/json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := s.send(t, "POST", "/v1/intake"+c.query, c.body, "Content-Type", formType, "Accept", c.accept)
			if r.status != c.status || !matchesLocation(r.header.Get("Location"), c.location) || (c.contentType != "" && r.header.Get("Content-Type") != c.contentType) {
				t.Errorf("got %d, Location %q, Content-Type %q", r.status, r.header.Get("Location"), r.header.Get("Content-Type"))
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
	s := start(t)
	post := func(body, key string) (int, string) {
		r := s.send(t, "POST", "/v1/intake", body, "Idempotency-Key", key)
		return r.status, parseOutcome(t, r.body).LeadID
	}
	good := intakeCase{}.asJSON()
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
	if status, _ := post(intakeCase{With: map[string]any{"zip_code": "90210"}}.asJSON(), "a"); status != 422 {
		t.Errorf("the same key with another request: got %d, want 422", status)
	}
	if status, _ := post(good, ""); status != 422 {
		t.Errorf("a blank key: got %d, want 422", status)
	}
	dry := intakeCase{With: map[string]any{"dry_run": true}}.asJSON()
	post(dry, "c")
	if status, id := post(good, "c"); status != 202 || !strings.HasPrefix(id, "lead_") {
		t.Errorf("a dry run was remembered: got %d %s", status, id)
	}
}

func TestLeadLookup(t *testing.T) {
	s := start(t)
	id := s.viaJSON(t, intakeCase{With: map[string]any{"address_line": "12 Example Street", "notes": "canary"}}).LeadID
	r := s.send(t, "GET", "/v1/leads/"+id, "")
	var status map[string]any
	if err := json.Unmarshal(r.body, &status); err != nil || r.status != 200 {
		t.Fatalf("got %d %s", r.status, r.body)
	}
	if status["lead_id"] != id || status["status"] != "collected" || status["service_type"] != "house_cleaning" || status["zip_code"] != "33139" {
		t.Errorf("got %s", r.body)
	}
	if len(status) != 8 {
		t.Errorf("got %d members, want 8: %s", len(status), r.body)
	}
	for _, personal := range []string{"Pat", "5550123", "Example Street", "canary"} {
		if strings.Contains(string(r.body), personal) {
			t.Errorf("the answer holds %q", personal)
		}
	}
	dry := s.viaJSON(t, intakeCase{With: map[string]any{"dry_run": true}}).LeadID
	for _, unknown := range []string{dry, "lead_" + strings.Repeat("a", 26), "x", strings.Repeat("y", 500)} {
		if r := s.send(t, "GET", "/v1/leads/"+unknown, ""); r.status != 404 {
			t.Errorf("%.20s: got %d, want 404", unknown, r.status)
		}
	}
}

// TestUnknownIDsAreRateLimited expects a client to get some lookups of unknown ids, and then no more.
func TestUnknownIDsAreRateLimited(t *testing.T) {
	s := start(t, "--rate-limit", "60/minute burst 120")
	for i := range 30 {
		r := s.send(t, "GET", "/v1/leads/lead_"+strings.Repeat("a", 26), "")
		if r.status == 429 {
			if i < 10 {
				t.Errorf("refused after %d guesses already", i)
			}
			return
		}
	}
	t.Error("thirty guesses were never refused")
}

// TestRateLimits expects the two buckets to be separate, and the plumbing number to use neither.
func TestRateLimits(t *testing.T) {
	s := start(t, "--rate-limit", "3/day burst 3")
	good := intakeCase{}
	for range 3 {
		if got := s.viaJSON(t, good); got.Verdict != "collected" {
			t.Fatalf("got %v within the limit", got)
		}
	}
	for name, got := range map[string]outcome{"json": s.viaJSON(t, good), "form": s.viaForm(t, good), "tool": s.viaMCP(t, good)} {
		if got.Verdict != "rate_limited" {
			t.Errorf("%s: got %q over the limit", name, got.Verdict)
		}
	}
	dry := intakeCase{With: map[string]any{"dry_run": true}}
	bad := intakeCase{With: map[string]any{"zip_code": "x"}}
	for i := range 30 {
		want, c := "validated", dry
		if i%2 == 0 {
			want, c = "invalid_request", bad
		}
		if got := s.viaJSON(t, c); got.Verdict != want {
			t.Fatalf("try %d: got %q, want %q", i, got.Verdict, want)
		}
	}
	for _, c := range []intakeCase{dry, bad} {
		if got := s.viaMCP(t, c); got.Verdict != "rate_limited" {
			t.Errorf("got %q after thirty tries", got.Verdict)
		}
	}
	for _, tool := range []string{"get_plumbing_call_number", "list_supported_services"} {
		r := s.rpc(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`"}}`)
		if !strings.Contains(string(r.body), "+18005550199") || strings.Contains(string(r.body), `"isError":true`) {
			t.Errorf("%s was refused: %s", tool, r.body)
		}
	}
}

func TestExemptNetworksAreNotLimited(t *testing.T) {
	s := start(t, "--rate-limit", "1/day", "--rate-limit-exempt", "127.0.0.0/8")
	for range 5 {
		if got := s.viaJSON(t, intakeCase{}); got.Verdict != "collected" {
			t.Fatalf("got %q", got.Verdict)
		}
	}
}

// TestTrustedProxies expects X-Forwarded-For to count only if the peer is a trusted proxy.
func TestTrustedProxies(t *testing.T) {
	for _, c := range []struct {
		name, trusted string
		want          string
	}{
		{"the peer is not trusted", "192.0.2.0/24", "127.0.0.1"},
		{"the peer is trusted", "127.0.0.1", "203.0.113.7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := start(t, "--trusted-proxies", c.trusted)
			s.send(t, http.MethodPost, "/v1/intake", intakeCase{}.asJSON(), "X-Forwarded-For", "198.51.100.1, 203.0.113.7")
			if got := newestLead(t, s.reader(t)).Evidence.Client; got != c.want {
				t.Errorf("stored the client %s, want %s", got, c.want)
			}
		})
	}
}

// TestEvidence checks what is stored to prove consent later.
func TestEvidence(t *testing.T) {
	s := start(t)
	own := s.ownForm(t)
	hash := own.Get("consent_text")
	if len(hash) != 64 {
		t.Fatalf("the form does not name its consent text: %q", hash)
	}
	s.send(t, "POST", "/v1/intake", goodForm+"&"+own.Encode(), "Content-Type", formType, "User-Agent", "Example/1.0",
		"Referer", "http://localhost:8080/?utm=secret", "Origin", "http://localhost:8080", "Sec-Fetch-Site", "same-origin")
	reader := s.reader(t)
	e := newestLead(t, reader).Evidence
	if e.Door != "form" || e.UserAgent != "Example/1.0" || e.Page != "http://localhost:8080/" || e.Origin != "http://localhost:8080" ||
		e.FetchSite != "same-origin" || e.Client != "127.0.0.1" || e.Consent.Hash != hash || !strings.HasPrefix(e.Consent.Version, "shown-") || e.RequestID == "" ||
		e.FormToken != lead.TokenValid || e.SecondsOnPage < 2 || e.SecondsOnPage > 70 || len(e.PageVersion) != 16 {
		t.Errorf("stored %+v", e)
	}
	if text, err := reader.ConsentText(t.Context(), hash); err != nil || !strings.Contains(text, "may call or text me about it") {
		t.Errorf("the text behind the hash is %q (%v)", text, err)
	}
	s.viaForm(t, intakeCase{})
	if e := newestLead(t, reader).Evidence; !strings.HasPrefix(e.Consent.Version, "stated-") {
		t.Errorf("a form that is not ours was stored with the consent %+v", e.Consent)
	}
	s.rpc(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"request_cleaning","_meta":{"io.modelcontextprotocol/clientInfo":{"name":"example-client","version":"2"}},
		"arguments":{"zip_code":"33139","customer_name":"Pat Example","customer_phone":"305-555-0123","consent_to_contact":true}}}`)
	l := newestLead(t, reader)
	if e := l.Evidence; e.Door != "mcp" || e.MCPClient != "example-client 2" || l.Request.SourceAgent != "mcp" || !strings.HasPrefix(e.Consent.Version, "stated-") {
		t.Errorf("stored %+v from %q", e, l.Request.SourceAgent)
	}
	s.viaJSON(t, intakeCase{With: map[string]any{"service_type": "plumbing", "consent_to_contact": false}})
	if e := newestLead(t, reader).Evidence; e.Consent.Hash != "" {
		t.Error("a consent was stored that was not given")
	}
}

// TestBaseURLWithPath expects routes to work with and without the path, whatever the proxy in front does.
func TestBaseURLWithPath(t *testing.T) {
	s := start(t, "--base-url", publicURL+"/home")
	for _, path := range []string{"/home/", "/home/health", "/home/v1/services", "/home/plumbing", "/", "/health", "/v1/services"} {
		if r := s.send(t, "GET", path, ""); r.status != 200 {
			t.Errorf("%s: %d", path, r.status)
		}
	}
	if r := s.send(t, "GET", "/homestead", ""); r.status != 404 {
		t.Errorf("/homestead: %d", r.status)
	}
	if r := s.send(t, "POST", "/home/v1/intake", goodForm, "Content-Type", formType); !strings.HasPrefix(r.header.Get("Location"), publicURL+"/home/thanks?ref=lead_") {
		t.Errorf("redirected to %q", r.header.Get("Location"))
	}
}

// TestRefusedDryRunStaysDryRun sends refused dry runs from a browser: the form in the response must still be a dry run.
func TestRefusedDryRunStaysDryRun(t *testing.T) {
	s := start(t)
	refused := strings.Replace(goodForm, "33139", "x", 1)
	for name, c := range map[string]struct{ query, body string }{
		"in the body": {"", refused + "&dry_run=yes"}, "in the address": {"?dry_run=true", refused},
		"misspelt": {"", goodForm + "&dryRun=true"}, "blank in the address": {"?dry_run", goodForm},
	} {
		r := s.send(t, "POST", "/v1/intake"+c.query, c.body+"&source_agent=example", "Content-Type", formType, "Accept", "text/html")
		page := string(r.body)
		if r.status != 422 || !strings.Contains(page, `<input type="hidden" name="dry_run" value="true">`) || !strings.Contains(page, "This is only a check") || !strings.Contains(page, `name="source_agent" value="example"`) {
			t.Errorf("%s: %d, and the form is not a dry run", name, r.status)
		}
	}
	r := s.send(t, "POST", "/v1/intake", refused, "Content-Type", formType, "Accept", "text/html")
	if strings.Contains(string(r.body), `name="dry_run"`) {
		t.Error("the form of a real request is a dry run")
	}
	if r := s.send(t, "POST", "/v1/intake?x=1;dry_run=true", intakeCase{}.asJSON()); r.status != 422 {
		t.Errorf("a dry_run behind a semicolon: %d", r.status)
	}
}

// TestOneIdempotencyKeyPerRequest expects a batch that would need several keys to be refused.
func TestOneIdempotencyKeyPerRequest(t *testing.T) {
	s := start(t)
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"request_home_service","arguments":` + intakeCase{}.asJSON() + `}}`
	send := func(body string) reply {
		return s.send(t, "POST", "/mcp", body, "Content-Type", "application/json", "Idempotency-Key", "a")
	}
	if r := send("[" + call + "," + call + "]"); r.status != 400 {
		t.Errorf("two requests with one key: %d %s", r.status, r.body)
	}
	if first, again := send("["+call+"]"), send("["+call+"]"); string(first.body) != string(again.body) {
		t.Errorf("one request, sent twice:\n%s\n%s", first.body, again.body)
	}
}
