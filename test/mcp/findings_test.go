package mcp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const expectedFailures = "expected-failures.yaml"

// check is one finding of the suite.
type check struct {
	ID, Status, ErrorMessage string
	Details                  struct{ Message string }
}

func (c check) failed() bool { return c.Status == "FAILURE" || c.Status == "WARNING" }

// readExpected reads the list of expected failures. Every entry needs a reason.
func readExpected(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(expectedFailures)
	if err != nil {
		t.Fatal(err)
	}
	entries := make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		entry, isEntry := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !isEntry {
			continue
		}
		name, reason, _ := strings.Cut(entry, " # ")
		if reason == "" || !strings.Contains(name, ":") {
			t.Errorf("%s: %q wants scenario:check # reason", expectedFailures, entry)
		}
		entries[name] = true
	}
	return entries
}

// runFolder matches the name of the folder that the suite writes for a scenario.
var runFolder = regexp.MustCompile(`^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$`)

// readFindings reads what the suite wrote, by scenario.
func readFindings(t *testing.T, folder string) map[string][]check {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*", "checks.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the suite wrote nothing: %v", err)
	}
	findings := make(map[string][]check, len(files))
	for _, file := range files {
		name := runFolder.FindStringSubmatch(filepath.Base(filepath.Dir(file)))
		text, err := os.ReadFile(file)
		if err != nil || name == nil {
			t.Fatalf("%s: %v", file, err)
		}
		var checks []check
		if err := json.Unmarshal(text, &checks); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		findings[name[1]] = checks
	}
	return findings
}
