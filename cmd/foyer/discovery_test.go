package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foyer/internal/store/storetest"
)

// TestDiscovery wants the written files to equal the served ones.
func TestDiscovery(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir(), "--base-url", "https://foyer.example.com")
	folder := t.TempDir()
	if _, stderr, code := run(t, "discovery", "--base-url", "https://foyer.example.com", "--write", folder); code != 0 {
		t.Fatalf("write: %d %q", code, stderr)
	}
	all, _, code := run(t, "discovery", "--base-url", "https://foyer.example.com")
	for _, path := range []string{
		"/llms.txt", "/llms-full.txt", "/mcp/server-card", "/server.json",
		"/.well-known/mcp.json", "/.well-known/mcp/server-card.json", "/.well-known/ai-catalog.json", "/.well-known/api-catalog", "/.well-known/security.txt",
	} {
		written, err := os.ReadFile(filepath.Join(folder, path))
		_, served := p.Get(path)
		if err != nil || string(written) != string(served) {
			t.Errorf("%s is not what is served: %v", path, err)
		}
		if code != 0 || !strings.Contains(all, "==> "+path+"\n"+string(written)) {
			t.Errorf("%s is not printed", path)
		}
		if one, _, code := run(t, "discovery", path[1:], "--base-url", "https://foyer.example.com"); code != 0 || one != string(written) {
			t.Errorf("%s alone: %d %.100q", path, code, one)
		}
	}
	if _, stderr, code := run(t, "discovery", "server.yaml"); code != 1 || !strings.Contains(stderr, "there is no file server.yaml") {
		t.Errorf("a file that is not there: %d %q", code, stderr)
	}
}
