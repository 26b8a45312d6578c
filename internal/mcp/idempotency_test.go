package mcp_test

import (
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/store/storetest"
)

// TestOneIdempotencyKeyPerRequest expects a batch that would need several keys to be refused.
func TestOneIdempotencyKeyPerRequest(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"request_home_service","arguments":` + apptest.Request{}.JSON() + `}}`
	send := func(body string) apptest.Reply {
		return s.Send(t, "POST", "/mcp", body, "Content-Type", "application/json", "Idempotency-Key", "a")
	}
	if r := send("[" + call + "," + call + "]"); r.Status != 400 {
		t.Errorf("two requests with one key: %d %s", r.Status, r.Body)
	}
	if first, again := send("["+call+"]"), send("["+call+"]"); string(first.Body) != string(again.Body) {
		t.Errorf("one request, sent twice:\n%s\n%s", first.Body, again.Body)
	}
}
