package main_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"foyer/internal/store/storetest"
	"foyer/test/binary"
)

func TestCommands(t *testing.T) {
	storetest.Parallel(t)
	for database, wrong := range map[string]int{
		"mysql://user:secret@db.example.com/foyer":        2, // no such engine
		"postgres://user:secret@127.0.0.1:1/foyer":        1, // no server there
		"postgres://user:secret@127.0.0.1:1/foyer?port=x": 1,
	} {
		if _, stderr, code := run(t, "--database", database); code != wrong || strings.Contains(stderr, "secret") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: want one line without the password and exit %d, got %d %q", database, wrong, code, stderr)
		}
	}
	if out, _, code := run(t, "help"); code != 0 || !strings.Contains(out, "Usage:") {
		t.Errorf("help: %d %q", code, out)
	}
	if out, _, code := run(t, "version"); code != 0 || out != "foyer 0.2.0\n" && !strings.HasPrefix(out, "foyer 0.2.0 (") {
		t.Errorf("version: %d %q", code, out)
	}
	if out, _, code := run(t, "openapi", "--base-url", "https://foyer.example.com/"); code != 0 || !strings.Contains(out, `"url": "https://foyer.example.com"`) {
		t.Errorf("openapi: %d %.200q", code, out)
	}
	out, _, code := run(t, "--help")
	for _, want := range []string{"serve", "leads list", "leads show", "suppress add", "operators add", "openapi", "version", "FOYER_BASE_URL"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("the help (exit %d) does not mention %s:\n%s", code, want, out)
		}
	}
	if strings.Contains(out, "password@") {
		t.Errorf("the help shows a password where other users of the machine can read it:\n%s", out)
	}
}

func TestLeadsCommands(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir())
	id := p.Submit()
	list, _, code := run(t, "leads", "list", "--database", p.Database)
	if code != 0 || !strings.Contains(list, id) || !strings.Contains(list, "hvac") || !strings.Contains(list, "collected") {
		t.Errorf("list: %d\n%s", code, list)
	}
	if strings.Contains(list, "Pat Example") || strings.Contains(list, "5550123") {
		t.Errorf("the list holds personal details:\n%s", list)
	}
	show, _, code := run(t, "leads", "show", id, "--database", p.Database)
	for _, want := range []string{id, "Pat Example", "+13055550123", "127.0.0.1", "The sender states that the person was asked"} {
		if code != 0 || !strings.Contains(show, want) {
			t.Errorf("show (exit %d) does not say %q:\n%s", code, want, show)
		}
	}
	if _, stderr, code := run(t, "leads", "show", "lead_nope", "--database", p.Database); code != 1 || !strings.Contains(stderr, "no lead with this id") {
		t.Errorf("unknown lead: %d %q", code, stderr)
	}
	if _, stderr, code := run(t, "leads", "list", "--database", "sqlite:/nowhere/foyer.db"); code != 1 || !strings.Contains(stderr, "there is no database at") {
		t.Errorf("no database: %d %q", code, stderr)
	}
}

// TestLeadsListLimit refuses a limit below one: that is a typo, and SQLite and PostgreSQL would understand it differently.
func TestLeadsListLimit(t *testing.T) {
	storetest.Parallel(t)
	for _, limit := range []string{"0", "-1"} {
		if out, stderr, code := run(t, "leads", "list", "--limit="+limit); code != 2 || out != "" || !strings.Contains(stderr, "--limit: "+limit+" is too few") || !strings.Contains(stderr, "at least 1") {
			t.Errorf("%s: %d %q %q", limit, code, out, stderr)
		}
	}
}

func TestSuppressCommands(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir())
	id := p.Submit()
	if out, stderr, code := run(t, "suppress", "add", "(305) 555-0123", "--database", p.Database); code != 0 || !strings.Contains(out, "+13055550123 is suppressed; held requests closed: 1") {
		t.Fatalf("add: %d %q %q", code, out, stderr)
	}
	if _, body := p.Get("/v1/leads/" + id); !strings.Contains(string(body), `"rejected"`) {
		t.Errorf("a held request of the number: %s", body)
	}
	if show, _, _ := run(t, "leads", "show", id, "--database", p.Database); !strings.Contains(show, "rejected: number suppressed (by the operator)") {
		t.Errorf("its history:\n%s", show)
	}
	elsewhere := "sqlite:" + filepath.Join(t.TempDir(), "foyer.db")
	if _, stderr, code := run(t, "suppress", "add", "305-555-0123", "--database", elsewhere); code != 1 || !strings.Contains(stderr, "there is no database at") {
		t.Errorf("in the wrong folder: %d %q", code, stderr)
	}
	if out, _, code := run(t, "suppress", "list", "--database", p.Database); code != 0 || !strings.Contains(out, "+13055550123") {
		t.Errorf("list: %d %q", code, out)
	}
	if _, stderr, code := run(t, "suppress", "add", "12", "--database", p.Database); code != 1 || !strings.Contains(stderr, "10-digit US number") {
		t.Errorf("a wrong number: %d %q", code, stderr)
	}
	if _, _, code := run(t, "suppress", "remove", "305-555-0123", "--database", p.Database); code != 0 {
		t.Errorf("remove: %d", code)
	}
	if _, _, code := run(t, "suppress", "remove", "305-555-0123", "--database", p.Database); code != 1 {
		t.Errorf("remove again: %d", code)
	}
}

func TestEraseLead(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir())
	id := p.Submit()
	if out, stderr, code := run(t, "leads", "erase", id, "--database", p.Database); code != 0 || !strings.Contains(out, "no personal details") {
		t.Fatalf("erase: %d %q %q", code, out, stderr)
	}
	show, _, _ := run(t, "leads", "show", id, "--database", p.Database)
	if strings.Contains(show, "Pat Example") || strings.Contains(show, "5550123") || !strings.Contains(show, "personal details erased") {
		t.Errorf("show:\n%s", show)
	}
	if _, stderr, code := run(t, "leads", "erase", "lead_none", "--database", p.Database); code != 1 || !strings.Contains(stderr, "no lead with this id") {
		t.Errorf("an unknown lead: %d %q", code, stderr)
	}
}

// TestBadSettingsStopStart wants one line that names the setting, what was given and what is accepted. A bad database
// setting is not repeated: it may hold a password.
func TestBadSettingsStopStart(t *testing.T) {
	storetest.Parallel(t)
	for _, c := range []struct{ setting, given, accepted string }{
		{"base-url", "foyer.example.com", "https://"},
		{"base-url", "https://foyer.example.com/?x=1", "without query"},
		{"addr", "foo", "127.0.0.1:8080"},
		{"addr", "127.0.0.1:99999", "127.0.0.1:8080"},
		{"database", "mysql://x", "sqlite:PATH"},
		{"database", "host=db.example.com password=hunter2", "sqlite:PATH"},
		{"plumbing-number", "800-555-0199", "E.164"},
		{"accent", "#ffcc00", "contrast 4.5 to 1"},
		{"logo", "/nowhere/logo.svg", "an SVG or PNG file"},
		{"overrides", "/nowhere", "consent.txt"},
		{"rate-limit", "sixty a minute", "60/minute burst 120"},
		{"rate-limit", "0/minute", "at least 1"},
		{"rate-limit-exempt", "10.0.0.0/99", "10.0.0.0/8"},
		{"trusted-proxies", "proxy", "10.0.0.0/8"},
		{"hold-days", "soon", "days"},
		{"allowed-origins", "app.example.com", "https://app.example.com"},
	} {
		t.Run(c.setting+"="+c.given, func(t *testing.T) {
			_, flag, code := run(t, "--"+c.setting, c.given)
			cmd := exec.Command(binary.Program)
			cmd.Env = binary.Environment("FOYER_" + strings.ToUpper(strings.ReplaceAll(c.setting, "-", "_")) + "=" + c.given)
			variable, _ := cmd.CombinedOutput()
			for way, line := range map[string]string{"flag": flag, "variable": string(variable)} {
				if strings.Count(line, "\n") != 1 || !strings.Contains(line, c.setting) || strings.Contains(line, c.given) != (c.setting != "database") || !strings.Contains(line, c.accepted) {
					t.Errorf("%s: %q", way, line)
				}
			}
			if code != 2 {
				t.Errorf("exit code %d, want 2", code)
			}
		})
	}
	p := serve(t, t.TempDir())
	if _, stderr, code := run(t, "--addr", strings.TrimPrefix(p.URL, "http://"), "--database", p.Database); code != 1 || !strings.Contains(stderr, "address already in use") || !strings.Contains(stderr, "such as --addr :8090") {
		t.Errorf("an address in use: %d %q", code, stderr)
	}
	if _, stderr, code := run(t, "--addr", "127.0.0.1:0", "--database", "sqlite:/nowhere/at/all/foyer.db"); code != 1 || !strings.Contains(stderr, "/nowhere/at/all") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("a folder that is not there: %d %q", code, stderr)
	}
}
