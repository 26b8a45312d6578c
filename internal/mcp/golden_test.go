package mcp_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/store/storetest"
)

func TestGoldenDocuments(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--base-url", apptest.PublicURL)
	list := s.RPC(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	apptest.Golden(t, "tools-list.json", indent(t, list.Body))
	initialize := s.RPC(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`)
	apptest.Golden(t, "initialize.json", indent(t, initialize.Body))
}

// TestToolListIsShort keeps the tool list, which an assistant must read first, under 3,000 tokens.
func TestToolListIsShort(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	list := s.RPC(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if tokens := len(list.Body) / 4; tokens >= 3000 {
		t.Errorf("tools/list takes about %d tokens, want fewer than 3000", tokens)
	}
}

func indent(t *testing.T, body []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := json.Indent(&out, body, "", "  "); err != nil {
		t.Fatal(err)
	}
	return append(out.Bytes(), '\n')
}
