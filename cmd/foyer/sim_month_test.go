package main_test

import (
	"path/filepath"
	"strings"
	"testing"

	"foyer/internal/store/storetest"
)

// A month fills a new database, whose reports and checks work like those of any other, and never one that is in use.
func TestSimMonth(t *testing.T) {
	storetest.Long(t)
	storetest.Parallel(t)
	folder := t.TempDir()
	flags := []string{"--database", "sqlite:" + filepath.Join(folder, "demo.db"), "--keys", "file:" + filepath.Join(folder, "demo.keys")}
	month := append([]string{"sim", "month", "--leads", "100", "--until", "2026-11-10"}, flags...)
	out, stderr, code := run(t, month...)
	if code != 0 || !strings.Contains(out, "has a made-up month up to 2026-11-10 00:00 UTC") {
		t.Fatalf("exit %d: %s%s", code, out, stderr)
	}
	for command, want := range map[string]string{
		"report leads --from 2026-10-11 --to 2026-11-10": "All leads are counted.",
		"report coverage --from 2026-10 --to 2026-11":    "UNCOVERED",
		"buyers list":                   "Lone Star Services",
		"sources list":                  "Newsletter",
		"statements list":               "2026-10",
		"leads list --status forwarded": "forwarded",
		"db check":                      "is sound",
	} {
		if out, stderr, code := run(t, append(strings.Fields(command), flags...)...); code != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: exit %d, want %q:\n%s%s", command, code, want, out, stderr)
		}
	}
	if _, stderr, code := run(t, month...); code != 1 || !strings.Contains(stderr, "has leads or buyers already: name a new database") {
		t.Errorf("again: exit %d: %s", code, stderr)
	}
	p := serve(t, t.TempDir())
	if _, stderr, code := run(t, "sim", "month", "--database", p.Database); code != 1 || !strings.Contains(stderr, "a service runs on") {
		t.Errorf("beside a service: exit %d: %s", code, stderr)
	}
	unlucky := []string{"sim", "month", "--leads", "100", "--until", "2026-11-10", "--seed", "11", "--database", "sqlite:" + filepath.Join(folder, "11.db"), "--keys", "file:" + filepath.Join(folder, "11.keys")}
	if _, stderr, code := run(t, unlucky...); code != 0 { // its numbers have a buyer fail while it is tested, which ended the month
		t.Errorf("seed 11: exit %d: %s", code, stderr)
	}
	for flag, want := range map[string]string{
		"--until=2999-01-01": "not in the future", "--until=tomorrow": "write a date such as", "--until=2001-01-01": "from 2024 on",
		"--leads=99": "from 100 to 100000", "--leads=many": "--leads",
	} {
		if _, stderr, code := run(t, "sim", "month", flag); code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit %d: %s", flag, code, stderr)
		}
	}
}
