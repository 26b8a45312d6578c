package apptest

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// PublicURL is the base URL in golden files, so that they do not change with the port.
const PublicURL = "https://foyer.example.com"

// Golden compares what clients see with a file in testdata.
func Golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s changed (-want +got); if that is meant, run make golden:\n%s", path, diff)
	}
}

// Normalize replaces what differs from run to run.
func Normalize(text []byte) []byte {
	text = regexp.MustCompile(`(lead|dry|req)_[a-z0-9]{26,35}`).ReplaceAll(text, []byte("${1}_…"))
	return regexp.MustCompile(`(Retry-After: |t=)\d+`).ReplaceAll(text, []byte("${1}…"))
}
