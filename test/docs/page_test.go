// Package docs keeps docs/buyers.md true. That page is a contract: a buyer's engineer builds an endpoint from it and
// nothing else. The running code generates its samples, its tables are compared with the rules, and its programs are run.
package docs

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the samples in the docs anew")

const path = "../../docs/buyers.md"

func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// golden compares a sample on the page with what it has to be.
func golden(t *testing.T, name, want string) {
	t.Helper()
	text := page(t)
	_, rest, found := strings.Cut(text, "<!-- sample: "+name+" -->\n```")
	fence, rest, _ := strings.Cut(rest, "\n")
	sample, _, closed := strings.Cut(rest, "```\n")
	if !found || !closed {
		t.Fatalf("%s has no sample %s", path, name)
	}
	if *update && sample != want {
		head := "<!-- sample: " + name + " -->\n```" + fence + "\n"
		if err := os.WriteFile(path, []byte(strings.Replace(text, head+sample, head+want, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		sample = want
	}
	if diff := cmp.Diff(want, sample); diff != "" {
		t.Errorf("the sample %s changed (-want +on the page); if that is meant, run make golden:\n%s", name, diff)
	}
}

// table returns the rows of the table whose first column has this title, without Markdown formatting.
func table(t *testing.T, title string) [][]string {
	t.Helper()
	var rows [][]string
	inside := false
	for line := range strings.Lines(page(t)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(strings.ReplaceAll(cells[i], "`", ""))
		}
		switch {
		case cells[0] == title && len(cells) > 1:
			inside = true
		case inside && strings.HasPrefix(cells[0], "---"):
		case inside && len(cells) > 1:
			rows = append(rows, cells)
		case inside:
			return rows
		}
	}
	t.Fatalf("%s has no table of %q", path, title)
	return nil
}

// wantSentences wants sentences on the page, regardless of line breaks and formatting.
func wantSentences(t *testing.T, sentences ...string) {
	t.Helper()
	text := strings.ReplaceAll(strings.Join(strings.Fields(page(t)), " "), "`", "")
	for _, sentence := range sentences {
		if !strings.Contains(text, sentence) {
			t.Errorf("%s does not say: %s", path, sentence)
		}
	}
}

// column returns one column of a table, with every name if a cell has several.
func column(rows [][]string, i int) []string {
	var names []string
	for _, row := range rows {
		names = append(names, strings.Split(row[i], ", ")...)
	}
	return names
}
