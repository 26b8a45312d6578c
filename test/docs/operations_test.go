package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var quotedLine = regexp.MustCompile("`([^`]+)`")

// TestLinesOfTheLog wants every line that docs/operations.md explains to be one that the service can write. The service
// puts in what a writer writes, which is leads in the document.
func TestLinesOfTheLog(t *testing.T) {
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "## What the log says about the database")
	_, table, _ := strings.Cut(section, "| line | meaning | what to do |")
	table, _, _ = strings.Cut(table, "\n\n")
	source, explained := ourSource(t), 0
	for row := range strings.Lines(table) {
		cells := strings.Split(row, "|")
		if len(cells) < 4 {
			continue
		}
		for _, line := range quotedLine.FindAllStringSubmatch(cells[1], -1) {
			explained++
			for _, piece := range strings.FieldsFunc(strings.ReplaceAll(line[1], "leads", "…"), func(c rune) bool { return c == '…' }) {
				if !strings.Contains(source, strings.TrimSpace(piece)) {
					t.Errorf("nothing writes %q of %q", piece, line[1])
				}
			}
		}
	}
	if explained < 8 {
		t.Errorf("%d lines are explained: is the table still there?", explained)
	}
}

// ourSource is the code of the service in one piece, tests aside.
func ourSource(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir("../../internal", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
