package edge_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/edge"
	"foyer/internal/lead"
)

func TestStatusOfEachKind(t *testing.T) {
	for kind, status := range map[lead.Kind]int{
		lead.Invalid: 422, lead.Refused: 422, lead.KeyReused: 422, lead.TooLarge: 413, lead.UnsupportedMedia: 415,
		lead.NotAcceptable: 406, lead.Unauthorized: 401, lead.Forbidden: 403, lead.NotFound: 404, lead.MethodNotAllowed: 405,
		lead.Conflict: 409, lead.RateLimited: 429, lead.Unavailable: 503, lead.Internal: 500,
	} {
		t.Run(string(kind), func(t *testing.T) {
			_, h, _ := newFrame(t, edge.Resource{Path: "/x", Get: failing(fmt.Errorf("wrapped: %w", &lead.Error{Kind: kind, Message: "Words for a person."}))})
			w := serve(h, "GET", "/x")
			if w.Code != status || w.Header().Get("Content-Type") != "application/json" || w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("got %d, %v; want %d, as JSON that is not stored", w.Code, w.Header(), status)
			}
			var body map[string]any
			if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(map[string]any{"error": string(kind), "message": "Words for a person."}, body); diff != "" {
				t.Errorf("the body differs (-want +got):\n%s", diff)
			}
			if got := w.Header().Get("WWW-Authenticate"); (got != "") != (kind == lead.Unauthorized) {
				t.Errorf("WWW-Authenticate is %q", got)
			}
			retryable := kind == lead.RateLimited || kind == lead.Unavailable
			if got := w.Header().Get("Retry-After"); (got != "") != retryable {
				t.Errorf("Retry-After is %q", got)
			}
		})
	}
}

func TestErrorsByField(t *testing.T) {
	_, h, _ := newFrame(t, edge.Resource{Path: "/x", Get: failing(lead.InvalidField("zip_code", "ZIP code is missing."))})
	want := `{"error":"invalid_request","message":"ZIP code is missing.","fields":{"zip_code":"ZIP code is missing."}}`
	if got := serve(h, "GET", "/x").Body.String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestRetryAfter(t *testing.T) {
	quota := &lead.Quota{Name: "leads", Limit: 60, Window: time.Minute}
	for _, tc := range []struct {
		retry time.Duration
		want  string
	}{{0, "1"}, {time.Millisecond, "1"}, {time.Second, "1"}, {1001 * time.Millisecond, "2"}, {time.Minute, "60"}} {
		_, h, _ := newFrame(t, edge.Resource{Path: "/x", Get: failing(&lead.Error{Kind: lead.RateLimited, Retry: tc.retry, Quota: quota})})
		got := serve(h, "GET", "/x").Header()
		if got.Get("Retry-After") != tc.want || got.Get("RateLimit") != `"leads";r=0;t=`+tc.want || got.Get("RateLimit-Policy") != `"leads";q=60;w=60` {
			t.Errorf("%v: got %v", tc.retry, got)
		}
	}
}

func TestPageErrors(t *testing.T) {
	refusal := &lead.Error{Kind: lead.NotFound, Message: "There is no such page."}
	_, h, _ := newFrame(t, edge.Resource{Path: "/page", Get: failing(refusal), Page: true}, edge.Resource{Path: "/data", Get: failing(refusal)})
	for _, tc := range []struct {
		path, accept, contentType, vary string
	}{
		{"/page", "text/html,*/*;q=0.8", "text/html", "Accept"},
		{"/page", "*/*", "application/json", "Accept"},
		{"/page", "application/json", "application/json", "Accept"},
		{"/data", "text/html", "application/json", ""},
	} {
		w := serve(h, "GET", tc.path, "Accept", tc.accept)
		if w.Code != 404 || w.Header().Get("Content-Type") != tc.contentType || w.Header().Get("Vary") != tc.vary {
			t.Errorf("%s for %s: got %d, %v", tc.path, tc.accept, w.Code, w.Header())
		}
	}
}

func TestRenderedError(t *testing.T) {
	err := &edge.RenderedError{Err: &lead.Error{Kind: lead.Unavailable, Message: "Later."}, Render: func(w http.ResponseWriter, _ *http.Request, e *lead.Error) {
		w.WriteHeader(edge.Status(e))
		fmt.Fprint(w, "the form again: ", e.Message)
	}}
	_, h, _ := newFrame(t, edge.Resource{Path: "/x", Post: failing(err)})
	w := serve(h, "POST", "/x")
	if w.Code != 503 || w.Body.String() != "the form again: Later." || w.Header().Get("Retry-After") != "1" {
		t.Errorf("got %d, %v: %s", w.Code, w.Header(), w.Body)
	}
}

// An error that is not a lead.Error is a bug: the client gets one generic sentence, with the id that finds it in the log.
func TestBugIsReportedWithoutDetail(t *testing.T) {
	const secret = "canary detail"
	for name, handler := range map[string]edge.Handler{
		"an error":           failing(errors.New(secret)),
		"a panic":            func(http.ResponseWriter, *http.Request) error { panic(secret) },
		"a panic with error": func(http.ResponseWriter, *http.Request) error { panic(errors.New(secret)) },
		"an index out of range": func(_ http.ResponseWriter, r *http.Request) error {
			return []error{}[len(r.Method)]
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, h, log := newFrame(t, edge.Resource{Path: "/x", Get: handler})
			w := serve(h, "GET", "/x")
			var body map[string]string
			if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
				t.Fatal(err)
			}
			if w.Code != 500 || body["error"] != "internal" || !strings.Contains(body["message"], "req_1") || strings.Contains(w.Body.String(), secret) {
				t.Errorf("got %d: %s", w.Code, w.Body)
			}
			if strings.Contains(name, "panic") && strings.Contains(log.String(), secret) {
				t.Errorf("a panic value may hold personal data, and is in the log: %s", log)
			}
			if !strings.Contains(log.String(), `"level":"ERROR"`) || !strings.Contains(log.String(), `"id":"req_1"`) {
				t.Errorf("the log has no such error: %s", log)
			}
		})
	}
}

func TestCauseIsLoggedOnly(t *testing.T) {
	_, h, log := newFrame(t, edge.Resource{Path: "/x", Get: failing(&lead.Error{Kind: lead.Unavailable, Message: "Later.", Cause: errors.New("disk full")})})
	w := serve(h, "GET", "/x")
	if strings.Contains(w.Body.String(), "disk") || !strings.Contains(log.String(), "disk full") {
		t.Errorf("response: %s\nlogged: %s", w.Body, log)
	}
}
