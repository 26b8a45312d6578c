package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"foyer/internal/store/storetest"
	"foyer/test/binary"
)

// TestLeadSurvivesRestart submits a lead, restarts the service, and finds the lead again.
func TestLeadSurvivesRestart(t *testing.T) {
	storetest.Parallel(t)
	folder := t.TempDir()
	first := serve(t, folder)
	id := first.Submit()
	if code := first.Stop(); code != 0 {
		t.Fatalf("SIGTERM: exit code %d, want 0\n%s", code, first.Logs())
	}
	second := serve(t, folder)
	status, body := second.Get("/v1/leads/" + id)
	if status != http.StatusOK || !strings.Contains(string(body), `"collected"`) {
		t.Errorf("after the restart: %d %s", status, body)
	}
}

// TestKilledServiceKeepsAcceptedLeads kills the process without warning.
func TestKilledServiceKeepsAcceptedLeads(t *testing.T) {
	storetest.Parallel(t)
	folder := t.TempDir()
	first := serve(t, folder)
	ids := []string{first.Submit(), first.Submit(), first.Submit()}
	first.Kill()
	second := serve(t, folder)
	for _, id := range ids {
		if status, body := second.Get("/v1/leads/" + id); status != http.StatusOK {
			t.Errorf("%s: %d %s", id, status, body)
		}
	}
}

// TestShutdownKeepsAcceptedLeads stops the service under load: every lead answered 202 is stored, and the exit code is 0.
func TestShutdownKeepsAcceptedLeads(t *testing.T) {
	storetest.Parallel(t)
	folder := t.TempDir()
	p := serve(t, folder, "--rate-limit", "off")
	var mu sync.Mutex
	var accepted []string
	var started atomic.Int64
	var clients sync.WaitGroup
	for range 16 {
		clients.Go(func() {
			for {
				started.Add(1)
				res, err := binary.Client.Post(p.URL+"/v1/intake", "application/json", strings.NewReader(binary.GoodLead))
				if err != nil {
					return // the service has stopped
				}
				var receipt struct {
					LeadID string `json:"lead_id"`
				}
				err = json.NewDecoder(res.Body).Decode(&receipt)
				res.Body.Close()
				if err == nil && res.StatusCode == http.StatusAccepted {
					mu.Lock()
					accepted = append(accepted, receipt.LeadID)
					mu.Unlock()
				}
			}
		})
	}
	for started.Load() < 500 {
	}
	if code := p.Stop(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	clients.Wait()
	again := serve(t, folder, "--rate-limit", "off")
	for _, id := range accepted {
		if status, _ := again.Get("/v1/leads/" + id); status != http.StatusOK {
			t.Fatalf("%s was accepted and is gone (%d)", id, status)
		}
	}
	t.Logf("%d accepted, 0 lost", len(accepted))
}

// TestStartupLog wants one line with address, store, version and revision, and a warning about the made-up number.
func TestStartupLog(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir())
	logs := p.Logs()
	for _, want := range []string{`"address":"127.0.0.1:`, `"database":"sqlite:`, `"version":"0.2.0"`, `"revision":"`} {
		if !strings.Contains(logs, want) {
			t.Errorf("the log does not say %s:\n%s", want, logs)
		}
	}
	p.Get("/health")
	p.Stop()
	if !strings.Contains(p.Logs(), "reserved for fiction") {
		t.Errorf("the log does not warn of the number:\n%s", p.Logs())
	}
	other := serve(t, t.TempDir(), "--plumbing-number", "+12025550142")
	if _, body := other.Get("/v1/services"); !strings.Contains(string(body), "(202) 555-0142") {
		t.Error("the catalog does not hold the operator's number")
	}
	other.Stop()
	if strings.Contains(other.Logs(), "reserved for fiction") {
		t.Error("a warning about a number that was set")
	}
}

// TestSVGLogoNamesItsPNG wants a line that names the file to add, and none once it is there.
func TestSVGLogoNamesItsPNG(t *testing.T) {
	folder := t.TempDir()
	logo, beside := filepath.Join(folder, "logo.svg"), filepath.Join(folder, "logo.png")
	var pixels bytes.Buffer
	if err := errors.Join(os.WriteFile(logo, []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"/>`), 0o600), png.Encode(&pixels, image.NewGray(image.Rect(0, 0, 8, 8)))); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, missing := os.Stat(beside)
		p := serve(t, t.TempDir(), "--logo", logo)
		if p.Stop(); strings.Contains(p.Logs(), "add the same logo as a PNG") != (missing != nil) || strings.Contains(p.Logs(), beside) != (missing != nil) {
			t.Errorf("the PNG is missing: %t; the log:\n%s", missing != nil, p.Logs())
		}
		if err := os.WriteFile(beside, pixels.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFormWithoutJavaScript fills in the form as a browser without JavaScript does.
func TestFormWithoutJavaScript(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir())
	status, _, header := p.Post("/v1/intake", "application/x-www-form-urlencoded",
		"service_type=other&zip_code=33139&customer_name=Pat+Example&customer_phone=%28305%29+555-0123&consent_to_contact=on&utm_source=x&bedrooms=&notes=")
	if status != http.StatusSeeOther || !strings.Contains(header.Get("Location"), "/thanks?ref=lead_") {
		t.Errorf("got %d to %q", status, header.Get("Location"))
	}
	for _, page := range []string{"/", "/plumbing", "/thanks", "/thanks?dry_run=true", "/status", "/privacy", "/docs", "/llms.txt", "/favicon.ico", "/favicon.svg"} {
		if status, _ := p.Get(page); status != http.StatusOK {
			t.Errorf("%s: %d", page, status)
		}
	}
}
