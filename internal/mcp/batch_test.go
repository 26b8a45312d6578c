package mcp

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/lead"
)

// TestBatchTakesGateSlots checks that a batch takes one slot of the gate for each message and releases them. If there are
// not enough slots, no message runs.
func TestBatchTakesGateSlots(t *testing.T) {
	s := New(catalog.Brand{BaseURL: "http://localhost"}, nil, nil, edge.NewLog(slog.New(slog.DiscardHandler)))
	s.Gate = &edge.Gate{MaxConcurrent: 40, MinConcurrent: 40}
	pings := func(n int) string {
		return "[" + strings.TrimSuffix(strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"},`, n), ",") + "]"
	}
	send := func(body string) (int, error) {
		s.Gate.Enter(t.Context()) // as edge.Frame does for every request
		defer s.Gate.Leave()
		status, answer, err := s.handle(&call{ctx: t.Context()}, impliedVersion, []byte(body))
		if (err == nil) != (answer != nil) {
			t.Errorf("answered %q and %v", answer, err)
		}
		return status, err
	}
	for range 100 {
		if status, err := send(pings(maxBatch)); status != http.StatusOK || err != nil {
			t.Fatal(status, err)
		}
	}
	if !s.Gate.EnterMore(t.Context(), 20) {
		t.Fatal("places were not given back")
	}
	if _, err := send(pings(maxBatch)); lead.KindOf(err) != lead.Unavailable {
		t.Errorf("beside 20 others: %v", err)
	}
	for _, small := range []string{pings(1), pings(19), pings(1)[1 : len(pings(1))-1]} {
		if status, err := send(small); status != http.StatusOK || err != nil {
			t.Errorf("one for which there is room: %d, %v", status, err)
		}
	}
}
