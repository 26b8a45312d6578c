package entered_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/operator/entered"
)

func TestReadZIPs(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		want string
	}{
		"one column":              {"33139\n90210\n", "33139 90210"},
		"each once, in order":     {"90210\n33139\n90210", "33139 90210"},
		"a heading":               {"zip,city\n33139,Miami Beach\n", "33139"},
		"the first that fits":     {"Miami Beach,33139,14000\nBeverly Hills,90210,15000\n", "33139 90210"},
		"a heading decides":       {"population,ZIP code\n14000,33139\n15000,90210\n", "33139 90210"},
		"another column in a row": {"33139,Miami Beach\nBeverly Hills,90210\n", "33139 90210"},
		"patterns":                {"331*\n90210", "331* 90210"},
		"nine digits":             {"33139-1234", "33139"},
		"semicolons":              {"city;zip\r\nMiami Beach;33139\r\n", "33139"},
		"tabs":                    {"zip\tcity\n33139\tMiami Beach\n", "33139"},
		"a mark at the beginning": {"\ufeff33139\n", "33139"},
		"quotes":                  {"\"33139\",\"Beach, Miami\"\n", "33139"},
		"quotes over lines":       {"33139,\"Miami\nBeach\"\n90210,x", "33139 90210"},
		"a spreadsheet's text":    {"\"=\"\"02108\"\"\",Boston\n'02109,Boston\n", "02108 02109"},
		"blank lines and blanks":  {"\n 33139 \n,,\n\n90210\n", "33139 90210"},
		"no newline at the end":   {"33139", "33139"},
		"a heading below a blank": {"\nzip\n33139", "33139"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := entered.ReadZIPs(strings.NewReader(c.file))
			if err != nil || strings.Join(got, " ") != c.want {
				t.Errorf("got %v, %v; want %s", got, err, c.want)
			}
		})
	}
}

func TestReadZIPsBadRows(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"a text":                    {"33139\nMiami\n90210\n", "rows without a ZIP code: 1; nothing was changed\n  line 2: no ZIP code"},
		"a zero that was dropped":   {"zip,city\n2108,Boston\n", "rows without a ZIP code: 1; nothing was changed\n  line 2: 2108 is not a ZIP code; a spreadsheet may have dropped the zero before it"},
		"in the first row":          {"2108\n33139\n", "rows without a ZIP code: 1; nothing was changed\n  line 1: 2108 is not a ZIP code; a spreadsheet may have dropped the zero before it"},
		"not in the named column":   {"zip,population\n2108,14000\n", "rows without a ZIP code: 1; nothing was changed\n  line 2: 2108 is not a ZIP code; a spreadsheet may have dropped the zero before it"},
		"a short row":               {"city,zip\nMiami\n33140,33139\n", "rows without a ZIP code: 1; nothing was changed\n  line 2: no ZIP code"},
		"too many digits":           {"33139\n331390\n", "rows without a ZIP code: 1; nothing was changed\n  line 2: 331390 is not a ZIP code"},
		"a star alone":              {"33139\n*\n", "rows without a ZIP code: 1; nothing was changed\n  line 2: no ZIP code"},
		"the first ten are enough":  {"33139\n" + strings.Repeat("x\n", 12), "rows without a ZIP code: 12; nothing was changed\n  line 2: no ZIP code\n" + strings.Join(numberedLines(3, 11), "\n") + "\n  …"},
		"only a heading":            {"zip,city\n", "it contains no ZIP code; nothing was changed"},
		"an empty file":             {"", "it contains no ZIP code; nothing was changed"},
		"quotes that do not match":  {"33139,\"Miami\n33140,x\n", "line 1: the quotes do not match; nothing was changed"},
		"nobody's data is repeated": {"33139\nPat Example\n3055550123\n", "rows without a ZIP code: 2; nothing was changed\n  line 2: no ZIP code\n  line 3: no ZIP code"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := entered.ReadZIPs(strings.NewReader(c.file))
			if err == nil || got != nil {
				t.Fatalf("got %v", got)
			}
			if diff := cmp.Diff(c.want, err.Error()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	if _, err := entered.ReadZIPs(broken{}); !errors.Is(err, errBroken) {
		t.Errorf("a file that cannot be read: %v", err)
	}
}

func numberedLines(from, to int) (lines []string) {
	for n := from; n <= to; n++ {
		lines = append(lines, fmt.Sprintf("  line %d: no ZIP code", n))
	}
	return lines
}

type broken struct{}

var errBroken = errors.New("the disk is gone")

func (broken) Read([]byte) (int, error) { return 0, errBroken }
