package main

import (
	"io"
	"strings"
	"testing"
)

// TestLogLines wants every line at once, whole and in order, from the logger, from one with attributes and ready-made.
func TestLogLines(t *testing.T) {
	var out strings.Builder
	log := newLogger(&out)
	log.Info("first")
	log.With("id", 1).Info("second")
	lines := log.Handler().(interface{ Lines() io.Writer }).Lines()
	io.WriteString(lines, `{"msg":"third"}`+"\n")
	for i, want := range []string{`"msg":"first"}`, `"msg":"second","id":1}`, `{"msg":"third"}`} {
		if got := strings.Split(out.String(), "\n"); len(got) != 4 || !strings.HasSuffix(got[i], want) {
			t.Errorf("line %d of %q is not %s", i, got, want)
		}
	}
}
