package docs

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var quotedLine = regexp.MustCompile("`([^`]+)`")

// TestLinesOfTheLog compares the tables of docs/operations.md with the source, both ways: every warning and error that the
// service can log is explained, and every line that is explained can be logged.
func TestLinesOfTheLog(t *testing.T) {
	written, explained := linesInSource(t), explainedLines(t)
	if len(written) < 30 || len(explained) < 30 {
		t.Fatalf("%d lines in the source, %d in the tables: are both still found?", len(written), len(explained))
	}
	for _, w := range written {
		found := false
		for _, line := range explained {
			found = found || line.MatchString(fillIn(w.text))
		}
		if w.loud && !found {
			t.Errorf("%s: docs/operations.md does not explain %q", w.where, w.text)
		}
	}
	for quoted, line := range explained {
		texts := map[string]bool{}
		for _, w := range written {
			if line.MatchString(fillIn(w.text)) {
				texts[w.text] = true
			}
		}
		if len(texts) != 1 { // a pattern that matches several would hide that a new one is not explained
			t.Errorf("docs/operations.md explains %q, and the service writes %d lines like it", quoted, len(texts))
		}
	}
}

// fillIn inserts a word where the service does: the document says writes.
func fillIn(text string) string { return strings.ReplaceAll(text, "…", "writes") }

// explainedLines returns the lines that the tables of docs/operations.md explain. In the document, … stands for anything.
func explainedLines(t *testing.T) map[string]*regexp.Regexp {
	t.Helper()
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]*regexp.Regexp{}
	for _, table := range strings.Split(string(text), "| line | meaning | what to do |\n")[1:] {
		table, _, _ = strings.Cut(table, "\n\n")
		for row := range strings.Lines(table) {
			cells := strings.Split(row, "|")
			if len(cells) < 4 {
				continue
			}
			for _, line := range quotedLine.FindAllStringSubmatch(cells[1], -1) {
				lines[line[1]] = regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(line[1]), "…", ".+") + "$")
			}
		}
	}
	return lines
}
