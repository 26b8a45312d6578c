package app_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"foyer/internal/app/apptest"
	"foyer/internal/lead"
	"foyer/internal/store/storetest"
)

// TestRateLimits expects the two buckets to be separate, and the plumbing number to use neither.
func TestRateLimits(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--rate-limit", "3/day burst 3")
	good := apptest.Request{}
	for range 3 {
		if got := s.ViaJSON(t, good); got.Verdict != "collected" {
			t.Fatalf("got %v within the limit", got)
		}
	}
	for name, got := range map[string]apptest.Outcome{"json": s.ViaJSON(t, good), "form": s.ViaForm(t, good), "tool": s.ViaMCP(t, good)} {
		if got.Verdict != "rate_limited" {
			t.Errorf("%s: got %q over the limit", name, got.Verdict)
		}
	}
	dry := apptest.Request{With: map[string]any{"dry_run": true}}
	bad := apptest.Request{With: map[string]any{"zip_code": "x"}}
	for i := range 30 {
		want, c := "validated", dry
		if i%2 == 0 {
			want, c = "invalid_request", bad
		}
		if got := s.ViaJSON(t, c); got.Verdict != want {
			t.Fatalf("try %d: got %q, want %q", i, got.Verdict, want)
		}
	}
	for _, c := range []apptest.Request{dry, bad} {
		if got := s.ViaMCP(t, c); got.Verdict != "rate_limited" {
			t.Errorf("got %q after thirty tries", got.Verdict)
		}
	}
	for _, tool := range []string{"get_plumbing_call_number", "list_supported_services"} {
		r := s.RPC(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`"}}`)
		if !strings.Contains(string(r.Body), "+18005550199") || strings.Contains(string(r.Body), `"isError":true`) {
			t.Errorf("%s was refused: %s", tool, r.Body)
		}
	}
}

func TestExemptNetworksAreNotLimited(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--rate-limit", "1/day", "--rate-limit-exempt", "127.0.0.0/8")
	for range 5 {
		if got := s.ViaJSON(t, apptest.Request{}); got.Verdict != "collected" {
			t.Fatalf("got %q", got.Verdict)
		}
	}
}

// TestTrustedProxies expects X-Forwarded-For to count only if the peer is a trusted proxy.
func TestTrustedProxies(t *testing.T) {
	storetest.Parallel(t)
	for _, c := range []struct {
		name, trusted string
		want          string
	}{
		{"the peer is not trusted", "192.0.2.0/24", "127.0.0.1"},
		{"the peer is trusted", "127.0.0.1", "203.0.113.7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := apptest.Start(t, "--trusted-proxies", c.trusted)
			s.Send(t, http.MethodPost, "/v1/intake", apptest.Request{}.JSON(), "X-Forwarded-For", "198.51.100.1, 203.0.113.7")
			if got := apptest.NewestLead(t, s.Reader(t)).Evidence.Client; got != c.want {
				t.Errorf("stored the client %s, want %s", got, c.want)
			}
		})
	}
}

// TestEvidence checks what is stored to prove consent later.
func TestEvidence(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	own := ownForm(t, s)
	hash := own.Get("consent_text")
	if len(hash) != 64 {
		t.Fatalf("the form does not name its consent text: %q", hash)
	}
	s.Send(t, "POST", "/v1/intake", apptest.GoodForm+"&"+own.Encode(), "Content-Type", apptest.FormType, "User-Agent", "Example/1.0",
		"Referer", "http://localhost:8080/?utm=secret", "Origin", "http://localhost:8080", "Sec-Fetch-Site", "same-origin")
	reader := s.Reader(t)
	e := apptest.NewestLead(t, reader).Evidence
	if e.Channel != "form" || e.UserAgent != "Example/1.0" || e.Page != "http://localhost:8080/" || e.Origin != "http://localhost:8080" ||
		e.FetchSite != "same-origin" || e.Client != "127.0.0.1" || e.Consent.Hash != hash || !strings.HasPrefix(e.Consent.Version, "shown-") || e.RequestID == "" ||
		e.FormToken != lead.TokenValid || e.SecondsOnPage < 2 || e.SecondsOnPage > 70 || len(e.PageVersion) != 16 {
		t.Errorf("stored %+v", e)
	}
	if text, err := reader.ConsentText(t.Context(), hash); err != nil || !strings.Contains(text, "may call or text me about it") {
		t.Errorf("the text behind the hash is %q (%v)", text, err)
	}
	s.ViaForm(t, apptest.Request{})
	if e := apptest.NewestLead(t, reader).Evidence; !strings.HasPrefix(e.Consent.Version, "stated-") {
		t.Errorf("a form that is not ours was stored with the consent %+v", e.Consent)
	}
	s.RPC(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"request_cleaning","_meta":{"io.modelcontextprotocol/clientInfo":{"name":"example-client","version":"2"}},
		"arguments":{"zip_code":"33139","customer_name":"Pat Example","customer_phone":"305-555-0123","consent_to_contact":true}}}`)
	l := apptest.NewestLead(t, reader)
	if e := l.Evidence; e.Channel != "mcp" || e.MCPClient != "example-client 2" || l.Request.SourceAgent != "mcp" || !strings.HasPrefix(e.Consent.Version, "stated-") {
		t.Errorf("stored %+v from %q", e, l.Request.SourceAgent)
	}
	s.ViaJSON(t, apptest.Request{With: map[string]any{"service_type": "plumbing", "consent_to_contact": false}})
	if e := apptest.NewestLead(t, reader).Evidence; e.Consent.Hash != "" {
		t.Error("a consent was stored that was not given")
	}
}

// TestBaseURLWithPath expects routes to work with and without the path, whatever the proxy in front does.
func TestBaseURLWithPath(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--base-url", apptest.PublicURL+"/home")
	for _, path := range []string{"/home/", "/home/health", "/home/v1/services", "/home/plumbing", "/", "/health", "/v1/services"} {
		if r := s.Send(t, "GET", path, ""); r.Status != 200 {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
	if r := s.Send(t, "GET", "/homestead", ""); r.Status != 404 {
		t.Errorf("/homestead: %d", r.Status)
	}
	if r := s.Send(t, "POST", "/home/v1/intake", apptest.GoodForm, "Content-Type", apptest.FormType); !strings.HasPrefix(r.Header.Get("Location"), apptest.PublicURL+"/home/thanks?ref=lead_") {
		t.Errorf("redirected to %q", r.Header.Get("Location"))
	}
}

// TestGoldenLLMs records what assistants read first about the whole service.
func TestGoldenLLMs(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--base-url", apptest.PublicURL)
	apptest.Golden(t, "llms.txt", s.Send(t, http.MethodGet, "/llms.txt", "").Body)
}

// TestLargeBodiesOfOneClient expects a client behind a trusted proxy to leave room for the large bodies of others.
func TestLargeBodiesOfOneClient(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--trusted-proxies", "127.0.0.1", "--rate-limit", "off")
	begin := func(client string) net.Conn {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		fmt.Fprintf(conn, "POST /v1/intake HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: %s\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n", client)
		fmt.Fprint(conn, strings.Repeat(" ", 5000))
		return conn
	}
	refused := make(chan struct{}, 129)
	for range 129 {
		conn := begin("203.0.113.7")
		go func() {
			if res, err := http.ReadResponse(bufio.NewReader(conn), nil); err == nil && res.StatusCode == http.StatusServiceUnavailable {
				refused <- struct{}{}
			}
		}()
	}
	select {
	case <-refused:
	case <-time.After(10 * time.Second):
		t.Fatal("129 large bodies of one client are being read")
	}
	body := strings.Repeat(" ", 5000) + apptest.Request{}.JSON()
	if got := s.Send(t, http.MethodPost, "/v1/intake", body, "X-Forwarded-For", "203.0.113.8"); got.Status != http.StatusAccepted {
		t.Errorf("another client got %d %s", got.Status, got.Body)
	}
}
