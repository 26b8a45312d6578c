package edge_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"foyer/internal/edge"
)

func TestMethods(t *testing.T) {
	_, h, _ := newFrame(t,
		edge.Resource{Path: "/read", Get: writeHello},
		edge.Resource{Path: "/write", Post: writeHello, Open: true},
		edge.Resource{Path: "/both", Get: writeHello, Post: writeHello})
	for _, tc := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", "/read", 200, ""},
		{"HEAD", "/read", 200, ""},
		{"POST", "/read", 405, "GET, HEAD"},
		{"DELETE", "/read", 405, "GET, HEAD"},
		{"MADEUP", "/read", 405, "GET, HEAD"},
		{"POST", "/write", 200, ""},
		{"GET", "/write", 405, "POST"},
		{"HEAD", "/write", 405, "POST"},
		{"DELETE", "/write", 405, "POST"},
		{"PUT", "/both", 405, "GET, HEAD, POST"},
		{"OPTIONS", "/read", 204, "GET, HEAD, OPTIONS"},
		{"OPTIONS", "/write", 204, "POST, OPTIONS"},
		{"GET", "/nowhere", 404, ""},
		{"POST", "/nowhere", 404, ""},
	} {
		t.Run(tc.method+" "+tc.path, func(t *testing.T) {
			w := serve(h, tc.method, tc.path)
			if w.Code != tc.status || w.Header().Get("Allow") != tc.allow {
				t.Errorf("got %d, Allow %q; want %d, %q", w.Code, w.Header().Get("Allow"), tc.status, tc.allow)
			}
		})
	}
}

func TestHead(t *testing.T) {
	_, h, _ := newFrame(t, edge.Resource{Path: "/x", Get: writeHello})
	server := httptest.NewServer(h)
	defer server.Close()
	resp, err := http.Head(server.URL + "/x")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != 200 || resp.ContentLength != int64(len(`{"hello":"you"}`)) || len(body) != 0 {
		t.Errorf("got %s, %d bytes announced, %d sent", resp.Status, resp.ContentLength, len(body))
	}
}

// A website may use resources that are Open, without credentials, and no others.
func TestCORS(t *testing.T) {
	_, h, _ := newFrame(t,
		edge.Resource{Path: "/open", Get: writeHello, Post: failing(errRefused), Open: true},
		edge.Resource{Path: "/closed", Get: writeHello, Post: writeHello})
	for _, tc := range []struct {
		method, path, origin, methods string
	}{
		{"GET", "/open", "*", ""},
		{"POST", "/open", "*", ""},   // a refusal is readable as well
		{"DELETE", "/open", "*", ""}, // and so is this one
		{"OPTIONS", "/open", "*", "GET, HEAD, POST, OPTIONS"},
		{"GET", "/closed", "", ""},
		{"POST", "/closed", "", ""},
		{"OPTIONS", "/closed", "", ""},
		{"GET", "/nowhere", "", ""},
	} {
		t.Run(tc.method+" "+tc.path, func(t *testing.T) {
			got := serve(h, tc.method, tc.path, "Origin", "https://www.example.com", "Access-Control-Request-Method", "POST").Header()
			if got.Get("Access-Control-Allow-Origin") != tc.origin || got.Get("Access-Control-Allow-Methods") != tc.methods {
				t.Errorf("got %v", got)
			}
			if got.Get("Access-Control-Allow-Credentials") != "" {
				t.Error("credentials are allowed")
			}
		})
	}
}
