package main

import (
	"reflect"
	"testing"
)

func TestNormalizeArgs(t *testing.T) {
	for _, c := range [][2][]string{
		{{"help", "leads"}, {"leads", "--help"}},
		{{"--version"}, {"version"}},
		{{"buyers", "add", "--cap-day", "-1", "--name", "x"}, {"buyers", "add", "--cap-day=-1", "--name", "x"}},
		{{"leads", "list", "--limit", "-1"}, {"leads", "list", "--limit=-1"}},
		{{"suppress", "import", "-"}, {"suppress", "import", "-"}},
		{{"buyers", "add", "--secret-file", "-"}, {"buyers", "add", "--secret-file", "-"}},
		{nil, nil},
	} {
		if got := normalizeArgs(c[0]); !reflect.DeepEqual(got, c[1]) {
			t.Errorf("%q became %q, want %q", c[0], got, c[1])
		}
	}
}
