package web

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"testing"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/lead"
)

const origin = "https://foyer.example.com"

var brand = catalog.Brand{Name: "Foyer", Contact: "hello@example.com", BaseURL: origin, Number: "+18005550199"}

func newSite(t *testing.T) *Site {
	t.Helper()
	s, err := New(brand, 30, testInterfaces(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// builtOnce is the site that sharedSite returns.
var builtOnce struct {
	sync.Once
	*Site
}

// sharedSite returns one site for all tests that only read it: rendering every page takes longer than most tests.
func sharedSite(t *testing.T) *Site {
	t.Helper()
	builtOnce.Do(func() { builtOnce.Site = newSite(t) })
	if builtOnce.Site == nil {
		t.Fatal("the site could not be built")
	}
	return builtOnce.Site
}

// serve runs the site in the same frame as in production, with extra resources.
func serve(t *testing.T, s *Site, more ...edge.Resource) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(framed(s, more...))
	t.Cleanup(server.Close)
	return server
}

// framed is the handler of a site.
func framed(s *Site, more ...edge.Resource) http.Handler {
	f := &edge.Frame{
		Log:       edge.NewLog(slog.New(slog.DiscardHandler)),
		ClientOf:  func(*http.Request) netip.Addr { return netip.Addr{} },
		NewID:     func(prefix string) string { return prefix + "test" },
		ErrorPage: s.ErrorPage,
	}
	return f.Serve(s.Missing(), s.Routes(), more)
}

// ask sends a request with headers given as "Name: value".
func ask(t *testing.T, server *httptest.Server, method, path string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	answer, err := server.Client().Transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

const browser = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"

var pagePaths = []string{"/", "/plumbing", "/thanks", "/thanks?dry_run=true", "/status", "/privacy", "/docs"}

func TestPages(t *testing.T) {
	server := serve(t, sharedSite(t))
	titles := map[string]string{}
	for _, path := range pagePaths {
		t.Run(path, func(t *testing.T) {
			answer, body := ask(t, server, "GET", path, browser)
			if answer.StatusCode != 200 || answer.Header.Get("Content-Type") != htmlType {
				t.Fatalf("got %d %s", answer.StatusCode, answer.Header.Get("Content-Type"))
			}
			checkPage(t, answer, body)
			title := regexp.MustCompile(`<title>(.+)</title>`).FindStringSubmatch(body)
			if title == nil || titles[title[1]] != "" {
				t.Fatalf("no title, or one that another page has: %q", title)
			}
			titles[title[1]] = path
		})
	}
}

var linkPattern = regexp.MustCompile(`(?:href|src|action)="([^"]*)"`)

// checkPage checks what every page has in common, including error pages.
func checkPage(t *testing.T, answer *http.Response, body string) {
	t.Helper()
	if n := strings.Count(body, "<h1>"); n != 1 {
		t.Errorf("%d h1", n)
	}
	for _, want := range []string{`<html lang="en">`, `name="viewport"`, `name="description" content="`, `href="` + origin + `/privacy"`, `href="mailto:hello@example.com"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s", want)
		}
	}
	for _, never := range []string{"<script>", "<style", " onclick=", " style=", "ZgotmplZ", "&lt;no value", "<p></p>"} {
		if strings.Contains(body, never) {
			t.Errorf("holds %s", never)
		}
	}
	for _, found := range linkPattern.FindAllStringSubmatch(body, -1) {
		if a := found[1]; !strings.HasPrefix(a, origin+"/") && !strings.HasPrefix(a, "#") && a != "tel:+18005550199" && a != "mailto:hello@example.com" {
			t.Errorf("a link leads to %s", a)
		}
	}
	const policy = "default-src 'none'; style-src 'self' " + origin + "; script-src 'self' " + origin + "; connect-src 'self' " + origin + "; img-src 'self' " + origin + "; manifest-src 'self' " + origin + "; form-action 'self' " + origin + "; base-uri 'none'; frame-ancestors 'none'"
	if got := answer.Header.Get("Content-Security-Policy"); got != policy {
		t.Errorf("policy %s", got)
	}
	if answer.Header.Get("Referrer-Policy") == "" || answer.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("headers %v", answer.Header)
	}
}

// TestNoPromise checks that no page promises anything.
func TestNoPromise(t *testing.T) {
	server := serve(t, sharedSite(t))
	for _, path := range append([]string{"/llms.txt", "/missing"}, pagePaths...) {
		_, body := ask(t, server, "GET", path, browser)
		for _, promise := range []string{"will call you", "will contact you", "someone will", "will arrive", "is booked", "guarantee"} {
			if strings.Contains(strings.ToLower(body), promise) {
				t.Errorf("%s says %q", path, promise)
			}
		}
	}
}

func TestConditionalAndHead(t *testing.T) {
	server := serve(t, sharedSite(t))
	for _, path := range append([]string{"/llms.txt", "/favicon.ico", "/favicon.svg"}, pagePaths...) {
		const plain = "Accept-Encoding: identity"
		first, body := ask(t, server, "GET", path, plain)
		head, none := ask(t, server, "HEAD", path, plain)
		if head.StatusCode != 200 || none != "" || head.ContentLength != int64(len(body)) || head.Header.Get("ETag") != first.Header.Get("ETag") {
			t.Errorf("HEAD %s: %d, length %d, body %d", path, head.StatusCode, head.ContentLength, len(none))
		}
		again, none := ask(t, server, "GET", path, "If-None-Match: "+first.Header.Get("ETag"))
		if again.StatusCode != 304 || none != "" {
			t.Errorf("GET %s again: %d, body %d", path, again.StatusCode, len(none))
		}
	}
}

func TestStyleAndScriptAreImmutable(t *testing.T) {
	server := serve(t, sharedSite(t))
	_, home := ask(t, server, "GET", "/")
	for ext, says := range map[string]string{"css": ":root", "js": "'use strict'"} {
		address := regexp.MustCompile(`"` + origin + `(/assets/foyer-[0-9a-f]{12}\.` + ext + `)"`).FindStringSubmatch(home)
		if address == nil {
			t.Fatalf("the home page names no %s", ext)
		}
		answer, body := ask(t, server, "GET", address[1])
		if answer.StatusCode != 200 || !strings.Contains(answer.Header.Get("Cache-Control"), "immutable") || !strings.Contains(body, says) {
			t.Errorf("%s: got %d %v", ext, answer.StatusCode, answer.Header)
		}
	}
}

func TestNewRequiresAHost(t *testing.T) {
	if _, err := New(catalog.Brand{BaseURL: "/nowhere"}, 30, Interfaces{}); err == nil {
		t.Error("a base URL without a host was taken")
	}
}

func TestErrorPages(t *testing.T) {
	busy := func(http.ResponseWriter, *http.Request) error { return catalog.Busy }
	bug := func(http.ResponseWriter, *http.Request) error { return io.ErrNoProgress }
	server := serve(t, sharedSite(t), edge.Resource{Path: "/busy", Get: busy, Page: true}, edge.Resource{Path: "/bug", Get: bug, Page: true})
	for _, x := range []struct {
		method, path string
		status       int
		says         string
		code         lead.Kind
	}{
		{"GET", "/nowhere", 404, "There is nothing at this address.", lead.NotFound},
		{"POST", "/nowhere", 404, "There is nothing at this address.", lead.NotFound},
		{"POST", "/plumbing", 405, "This address takes GET and HEAD only.", lead.MethodNotAllowed},
		{"GET", "/busy", 503, "Nothing was kept", lead.Unavailable},
		{"GET", "/bug", 500, "req_test", lead.Internal},
	} {
		t.Run(x.method+x.path, func(t *testing.T) {
			answer, body := ask(t, server, x.method, x.path, browser)
			if answer.StatusCode != x.status || answer.Header.Get("Cache-Control") != "no-store" || answer.Header.Get("Vary") != "Accept" {
				t.Errorf("got %d %v", answer.StatusCode, answer.Header)
			}
			checkPage(t, answer, body)
			for _, want := range []string{x.says, `href="tel:+18005550199"`, `<a href="` + origin + `/">`} {
				if !strings.Contains(body, want) {
					t.Errorf("no %s", want)
				}
			}
			answer, body = ask(t, server, x.method, x.path, "Accept: application/json")
			if answer.StatusCode != x.status || !strings.HasPrefix(body, `{"error":"`+string(x.code)+`"`) {
				t.Errorf("as JSON: %d %s", answer.StatusCode, body)
			}
		})
	}
}
