package edge_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"

	"foyer/internal/edge"
	"foyer/internal/lead"
)

// logBuffer is a log that can be read while it is written.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (d *logBuffer) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.Write(b)
}

func (d *logBuffer) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.String()
}

// newFrame returns a frame, its handler of some resources, and its log.
func newFrame(t *testing.T, resources ...edge.Resource) (*edge.Frame, http.Handler, *logBuffer) {
	t.Helper()
	log := &logBuffer{}
	f := &edge.Frame{
		Log:      edge.NewLog(slog.New(slog.NewJSONHandler(log, nil))),
		ClientOf: func(*http.Request) netip.Addr { return netip.MustParseAddr("192.0.2.1") },
		NewID:    func(prefix string) string { return prefix + "1" },
		ErrorPage: func(w http.ResponseWriter, _ *http.Request, status int, e *lead.Error) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(status)
			io.WriteString(w, "<p>"+e.Message)
		},
	}
	notFound := func(http.ResponseWriter, *http.Request) error {
		return &lead.Error{Kind: lead.NotFound, Message: "There is nothing here."}
	}
	return f, f.Serve(edge.Resource{Path: "/", Get: notFound, Post: notFound, Page: true}, resources), log
}

// serve sends one request through a handler.
func serve(h http.Handler, method, target string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func writeHello(w http.ResponseWriter, _ *http.Request) error {
	edge.WriteJSON(w, http.StatusOK, []byte(`{"hello":"you"}`))
	return nil
}

func failing(err error) edge.Handler {
	return func(http.ResponseWriter, *http.Request) error { return err }
}

func TestEveryResponseHasRequestID(t *testing.T) {
	_, h, _ := newFrame(t, edge.Resource{Path: "/x", Get: writeHello}, edge.Resource{Path: "/bug", Get: failing(errors.New("bug"))})
	for _, target := range []string{"/x", "/bug", "/nowhere", "//x", "/a/../x"} {
		w := serve(h, "GET", target, "X-Request-Id", "made-up")
		if got := w.Header().Values("X-Request-Id"); len(got) != 1 || got[0] != "req_1" {
			t.Errorf("%s: the request id is %q", target, got)
		}
		if got := w.Header().Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("%s: X-Content-Type-Options is %q", target, got)
		}
	}
}

func TestHandlerGetsRequestInfo(t *testing.T) {
	var got edge.RequestInfo
	_, h, _ := newFrame(t, edge.Resource{Path: "/x", Get: func(w http.ResponseWriter, r *http.Request) error {
		got = edge.RequestInfoOf(r.Context())
		return writeHello(w, r)
	}})
	serve(h, "GET", "/x")
	if want := (edge.RequestInfo{ID: "req_1", Client: netip.MustParseAddr("192.0.2.1")}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// A form posted to the path of a document has a client: without one, all clients would share a rate limit.
func TestPostToDocumentHasClient(t *testing.T) {
	var got edge.RequestInfo
	_, h, _ := newFrame(t, edge.Resource{Path: "/x", Get: writeHello, Post: func(w http.ResponseWriter, r *http.Request) error {
		got = edge.RequestInfoOf(r.Context())
		return writeHello(w, r)
	}})
	if w := serve(h, "POST", "/x"); w.Code != http.StatusOK || got != (edge.RequestInfo{ID: "req_1", Client: netip.MustParseAddr("192.0.2.1")}) {
		t.Errorf("%d, from %+v", w.Code, got)
	}
}

// A redirect target is never taken from a request, not even by the standard library.
func TestUncleanPathIsNotFound(t *testing.T) {
	_, h, _ := newFrame(t, edge.Resource{Path: "/x", Get: writeHello, Post: writeHello}, edge.Resource{Path: "/x/{id}", Get: writeHello}, edge.Resource{Path: "/below/", Get: writeHello})
	for target, want := range map[string]int{
		"/x": 200, "/x/1": 200, "/x/a%2F%2Fb": 200, "/below": 200, "/below?a=1": 200, "/below/1": 200, "/x?a=//b": 200,
		"//x": 404, "/./x": 404, "/a/../x": 404, "/x//1": 404, "//": 404, "/x/": 404, "//evil.example.com/..": 404,
	} {
		w := serve(h, "GET", "http://foyer.example.com"+target)
		if w.Code != want || w.Header().Get("Location") != "" {
			t.Errorf("%s: got %d to %q, want %d", target, w.Code, w.Header().Get("Location"), want)
		}
	}
	if w := serve(h, "POST", "http://foyer.example.com//x"); w.Code != 404 {
		t.Errorf("a post: got %d", w.Code)
	}
}
