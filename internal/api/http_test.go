package api_test

import (
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/store/storetest"
)

func TestCatalogAndDocumentAreCached(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	for _, path := range []string{"/v1/services", "/openapi.json"} {
		t.Run(path, func(t *testing.T) {
			first := s.Send(t, "GET", path, "")
			etag := first.Header.Get("ETag")
			if first.Status != 200 || etag == "" || !strings.Contains(first.Header.Get("Cache-Control"), "max-age") {
				t.Fatalf("got %d, ETag %q, Cache-Control %q", first.Status, etag, first.Header.Get("Cache-Control"))
			}
			again := s.Send(t, "GET", path, "", "If-None-Match", etag)
			if again.Status != 304 || len(again.Body) != 0 {
				t.Errorf("with its own ETag: got %d and %d bytes, want 304 and none", again.Status, len(again.Body))
			}
			head := s.Send(t, "HEAD", path, "")
			if head.Status != 200 || len(head.Body) != 0 || head.Header.Get("Content-Length") == "0" {
				t.Errorf("HEAD: got %d, %d bytes, length %s", head.Status, len(head.Body), head.Header.Get("Content-Length"))
			}
			gzipped := s.Send(t, "GET", path, "", "Accept-Encoding", "gzip")
			if gzipped.Header.Get("Content-Encoding") != "gzip" || gzipped.Header.Get("ETag") == etag {
				t.Errorf("gzip: encoding %q under the ETag %q", gzipped.Header.Get("Content-Encoding"), gzipped.Header.Get("ETag"))
			}
			reader, err := gzip.NewReader(strings.NewReader(string(gzipped.Body)))
			if err != nil {
				t.Fatal(err)
			}
			if text, _ := io.ReadAll(reader); string(text) != string(first.Body) {
				t.Error("gzip carries another document")
			}
		})
	}
}

func TestCORSAllowsAnyOrigin(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	for _, path := range []string{"/v1/services", "/v1/intake", "/v1/leads/lead_x", "/v1/offers/offer_x/returned", "/health", "/openapi.json", "/mcp"} {
		r := s.Send(t, "OPTIONS", path, "", "Origin", "https://app.example.com", "Access-Control-Request-Method", "POST")
		if r.Status != 204 || r.Header.Get("Access-Control-Allow-Origin") != "*" || r.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: got %d, origin %q", path, r.Status, r.Header.Get("Access-Control-Allow-Origin"))
		}
		if !strings.Contains(r.Header.Get("Access-Control-Allow-Headers"), "Idempotency-Key") {
			t.Errorf("%s: allowed headers are %q", path, r.Header.Get("Access-Control-Allow-Headers"))
		}
	}
	for _, method := range []string{"GET", "DELETE", "OPTIONS"} {
		r := s.Send(t, method, "/v1/nowhere", "", "Origin", "https://app.example.com")
		if want := map[string]int{"GET": 404, "DELETE": 404, "OPTIONS": 204}[method]; r.Status != want || r.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s of an address under /v1 that is not there: %d, origin %q", method, r.Status, r.Header.Get("Access-Control-Allow-Origin"))
		}
	}
	if r := s.Send(t, "GET", "/privacy", ""); r.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("pages are open to other websites")
	}
}
