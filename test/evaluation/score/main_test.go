package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const tasks = "../../../docs/evaluation/tasks.json"

// TestExample scores a conversation that went well, one with a promise in it, and one that failed.
func TestExample(t *testing.T) {
	var out strings.Builder
	failed, err := run(&out, tasks, "../../../docs/evaluation/transcripts.example.json")
	if err != nil || failed != 1 {
		t.Fatalf("%d failed: %v\n%s", failed, err, out.String())
	}
	for _, want := range []string{
		"look: Promises a callback.",
		"fault: wrong call of get_plumbing_call_number",
		"yes? Before anything else, tells the person to leave at once",
		"2 of 3 conversations made the right calls.",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing from:\n%s", want, out.String())
		}
	}
}

func TestBadTranscripts(t *testing.T) {
	for name, text := range map[string]string{
		"no list":         `{}`,
		"an unknown task": `[{"task": "no-such-task", "on": "2027-03-15"}]`,
		"no day":          `[{"task": "leaking-sink"}]`,
	} {
		path := filepath.Join(t.TempDir(), "transcripts.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := run(&strings.Builder{}, tasks, path); err == nil {
			t.Errorf("%s is scored", name)
		}
	}
}
