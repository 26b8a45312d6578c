package main_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"foyer/test/binary"
)

// smallDisk mounts a file system of two megabytes.
func smallDisk(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("mounting a small disk needs root")
	}
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("cannot mount a small disk here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
	return folder
}

// TestFullDisk fills the disk and frees it again: nothing is accepted meanwhile, the plumbing number is still served, and
// the service recovers by itself.
func TestFullDisk(t *testing.T) {
	folder := smallDisk(t)
	p := serve(t, folder, "--rate-limit", "off")
	kept := p.Submit()
	empty := fill(t, folder)
	refused := p.untilRefused()
	status, body, header := p.Post("/v1/intake", "application/json", binary.GoodLead)
	if status != http.StatusServiceUnavailable || header.Get("Retry-After") == "" || !strings.Contains(string(body), "nothing was accepted") {
		t.Errorf("got %d, Retry-After %q: %s", status, header.Get("Retry-After"), body)
	}
	p.wantPlumbingNumber()
	if status, body := p.Get("/health"); status != http.StatusServiceUnavailable || !strings.Contains(string(body), "unavailable") {
		t.Errorf("health: %d %s", status, body)
	}
	empty()
	began := time.Now()
	p.untilHealthy(5 * time.Second)
	t.Logf("refused after %d more leads, healed after %v", refused, time.Since(began).Round(time.Millisecond))
	for _, id := range []string{kept, p.Submit()} {
		if status, _ := p.Get("/v1/leads/" + id); status != http.StatusOK {
			t.Errorf("%s is gone: %d", id, status)
		}
	}
	if code := p.Stop(); code != 0 {
		t.Errorf("exit code %d\n%s", code, p.Logs())
	}
}

func fill(t *testing.T, folder string) func() {
	filler := filepath.Join(folder, "filler")
	f, err := os.Create(filler)
	if err != nil {
		t.Fatal(err)
	}
	block := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(block)
	}
	f.Close()
	return func() { os.Remove(filler) }
}

// untilRefused sends leads until one is refused. Leads that fit into the log are still accepted.
func (p *process) untilRefused() int {
	p.T.Helper()
	for n := range 1000 {
		if status, _, _ := p.Post("/v1/intake", "application/json", binary.GoodLead); status != http.StatusAccepted {
			return n
		}
	}
	p.T.Fatal("a thousand leads were taken by a disk that has no room")
	return 0
}

func (p *process) wantPlumbingNumber() {
	p.T.Helper()
	for _, path := range []string{"/v1/services", "/plumbing", "/"} {
		if status, body := p.Get(path); status != http.StatusOK || !strings.Contains(string(body), "(800) 555-0199") {
			p.T.Errorf("%s: %d without the number", path, status)
		}
	}
	_, body, _ := p.Post("/mcp", "application/json", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_plumbing_call_number"}}`)
	if !strings.Contains(string(body), "+18005550199") {
		p.T.Errorf("the tool does not hand out the number: %s", body)
	}
	status, body, _ := p.Post("/v1/intake", "application/json", strings.Replace(binary.GoodLead, "hvac", "plumbing", 1))
	if status != http.StatusServiceUnavailable || !strings.Contains(string(body), "(800) 555-0199") {
		p.T.Errorf("a plumbing request is refused without the number: %d %s", status, body)
	}
}

func (p *process) untilHealthy(within time.Duration) {
	p.T.Helper()
	for deadline := time.Now().Add(within); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if status, _ := p.Get("/health"); status == http.StatusOK {
			return
		}
	}
	p.T.Fatalf("not healed within %v\n%s", within, p.Logs())
}
