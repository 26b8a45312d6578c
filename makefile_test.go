package foyer_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryTestRuns checks that no test falls between the two runs of make test: what the run under the race detector leaves out, the
// other one must find.
func TestEveryTestRuns(t *testing.T) {
	names, found := strings.CutPrefix(makeVariable(t, "ALONE"), "^(")
	names, ended := strings.CutSuffix(names, ")$$")
	if !found || !ended {
		t.Fatal("ALONE is not a list of tests")
	}
	patterns := strings.Split(names, "|")
	for part := range strings.SplitSeq(makeVariable(t, "ALONE_PARTS"), "|") {
		test, _, _ := strings.Cut(part, "/")
		patterns = append(patterns, strings.Trim(test, "^$"))
	}
	run := make(map[string]bool)
	for _, folder := range strings.Fields(strings.NewReplacer(",", " ", ")", " ").Replace(makeVariable(t, "ALONE_IN"))) {
		run["internal/"+folder] = true
	}
	all := goTests(t)
	for _, pattern := range patterns {
		matches := regexp.MustCompile("^" + pattern + "$").MatchString
		known := false
		for _, test := range all {
			if !matches(test.name) {
				continue
			}
			known = true
			if !run[test.folder] {
				t.Errorf("%s in %s runs nowhere: ALONE_IN does not name the folder", test.name, test.folder)
			}
		}
		if !known {
			t.Errorf("no test is called %s", pattern)
		}
	}
}

// makeVariable returns what the Makefile sets a variable to, as it is written.
func makeVariable(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^` + name + ` +:= (.*)$`).FindSubmatch(text)
	if line == nil {
		t.Fatalf("the Makefile does not set %s", name)
	}
	return string(line[1])
}

type goTest struct{ folder, name string }

// goTests lists the tests below internal.
func goTests(t *testing.T) (all []goTest) {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir("internal", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, match := range declared.FindAllSubmatch(text, -1) {
			all = append(all, goTest{filepath.Dir(path), string(match[1])})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
