package edge_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"foyer/internal/edge"
	"foyer/internal/lead"
)

// The log says that a request came and how it ended, and nothing that a person sent.
func TestLogLine(t *testing.T) {
	readAll := func(w http.ResponseWriter, r *http.Request) error {
		if _, err := io.ReadAll(r.Body); err != nil {
			return err
		}
		return writeHello(w, r)
	}
	for _, tc := range []struct {
		name, method, target, route, logged string
		handler                             edge.Handler
		status                              float64
	}{
		{name: "an answer", method: "POST", target: "/v1/leads/canary?canary=canary", route: "/v1/leads/{lead_id}", handler: readAll, status: 200},
		{name: "a refusal", method: "POST", target: "/v1/leads/canary", route: "/v1/leads/{lead_id}", handler: failing(errRefused), status: 422},
		{name: "a wrong method", method: "PUT", target: "/v1/leads/canary", route: "/v1/leads/{lead_id}", handler: readAll, status: 405},
		{name: "a method that was made up", method: "CANARY", target: "/v1/leads/x", route: "/v1/leads/{lead_id}", handler: readAll, status: 405, logged: "OTHER"},
		{name: "an address that does not exist", method: "GET", target: "/canary/canary", route: "/", handler: readAll, status: 404},
		{name: "an address that is not clean", method: "GET", target: "//canary/../canary", route: "/", handler: readAll, status: 404},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, h, log := newFrame(t, edge.Resource{Path: "/v1/leads/{lead_id}", Post: tc.handler})
			r := httptest.NewRequest(tc.method, "http://canary.example.com"+tc.target, strings.NewReader("canary body"))
			for _, name := range []string{"User-Agent", "Referer", "Origin", "Cookie", "Authorization", "Idempotency-Key", "X-Forwarded-For", "X-Request-Id", "Canary"} {
				r.Header.Set(name, "canary")
			}
			h.ServeHTTP(httptest.NewRecorder(), r)

			if strings.Contains(strings.ToLower(log.String()), "canary") {
				t.Errorf("what was sent is in the log: %s", log)
			}
			var line map[string]any
			if err := json.Unmarshal([]byte(log.String()), &line); err != nil {
				t.Fatalf("want one line: %v: %s", err, log)
			}
			var names []string
			for name := range line {
				names = append(names, name)
			}
			slices.Sort(names)
			if want := []string{"id", "level", "method", "msg", "route", "status", "time", "took_ms"}; !slices.Equal(names, want) {
				t.Errorf("the line holds %v, want %v", names, want)
			}
			method := tc.method
			if tc.logged != "" {
				method = tc.logged
			}
			if line["id"] != "req_1" || line["method"] != method || line["route"] != tc.route || line["status"] != tc.status {
				t.Errorf("the line is %v", line)
			}
		})
	}
}

func TestStartedResponseIsLoggedAsStarted(t *testing.T) {
	_, h, log := newFrame(t, edge.Resource{Path: "/x", Get: func(w http.ResponseWriter, _ *http.Request) error {
		io.WriteString(w, "started")
		return &lead.Error{Kind: lead.Internal, Message: "Too late."}
	}})
	w := serve(h, "GET", "/x")
	if w.Code != 200 || w.Body.String() != "started" || !strings.Contains(log.String(), `"status":200`) {
		t.Errorf("got %d %s, logged %s", w.Code, w.Body, log)
	}
}
