package mcp

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/catalog"
	"foyer/internal/edge"
)

// brokenServer serves one tool that panics or fails.
func brokenServer(log *bytes.Buffer, run func(*call, jsontext.Value) ([]byte, error)) *Server {
	s := New(catalog.Brand{BaseURL: "http://localhost"}, nil, nil, edge.NewLog(slog.New(slog.NewJSONHandler(log, nil))))
	s.tools["broken"] = tool{Tool: catalog.Tool{Name: "broken"}, run: run}
	return s
}

const callBroken = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"broken"}}`

// TestToolPanicAndError checks a tool that panics or fails: the client gets a generic message with the request id, the log
// has the details, and neither contains the panic value.
func TestToolPanicAndError(t *testing.T) {
	for name, run := range map[string]func(*call, jsontext.Value) ([]byte, error){
		"a panic":           func(*call, jsontext.Value) ([]byte, error) { panic("canary") },
		"a nil dereference": func(*call, jsontext.Value) ([]byte, error) { var d *Server; return d.services(&call{}, nil) },
		"an error":          func(*call, jsontext.Value) ([]byte, error) { return nil, errors.New("no such table") },
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			s := brokenServer(&log, run)
			c := &call{ctx: edge.WithRequestInfo(t.Context(), edge.RequestInfo{ID: "req_1"}, nil)}
			status, answer := s.handle(c, catalog.Protocols[0], []byte(callBroken))
			if status != http.StatusOK || !strings.Contains(string(answer), `"id":7,"error":{"code":-32603,`) || !strings.Contains(string(answer), "req_1") {
				t.Errorf("got %d %s", status, answer)
			}
			if strings.Contains(string(answer)+log.String(), "canary") || strings.Contains(string(answer), "table") || !strings.Contains(log.String(), "req_1") {
				t.Errorf("told %s\nlogged %s", answer, log.String())
			}
			if _, answer := s.handle(c, catalog.Protocols[0], []byte(`{"jsonrpc":"2.0","id":8,"method":"ping"}`)); !strings.Contains(string(answer), `"result":{}`) {
				t.Errorf("afterwards: %s", answer)
			}
		})
	}
}

// TestClientDisconnects checks that a disconnect is neither logged nor answered as a bug.
func TestClientDisconnects(t *testing.T) {
	var log bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	s := brokenServer(&log, func(c *call, _ jsontext.Value) ([]byte, error) {
		cancel()
		return nil, c.ctx.Err()
	})
	r := httptest.NewRequestWithContext(ctx, "POST", "/mcp", strings.NewReader(callBroken))
	w := httptest.NewRecorder()
	if err := s.post(w, r); !errors.Is(err, context.Canceled) || w.Body.Len() > 0 || log.Len() > 0 {
		t.Errorf("returned %v, answered %q, logged %q", err, w.Body, log.String())
	}
}
