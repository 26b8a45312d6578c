package main_test

import (
	"os/exec"
	"strings"
	"testing"

	"foyer/test/binary"
)

// TestVersionShowsCommit builds the program with and without its commit.
func TestVersionShowsCommit(t *testing.T) {
	if got := versionOf(t, "-buildvcs=false"); got != "foyer 0.2.0\n" {
		t.Errorf("without a commit: %q", got)
	}
	head, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		t.Skip("this is no clone, so no build knows its commit")
	}
	commit := strings.TrimSpace(string(head))
	got := versionOf(t, "-buildvcs=true")
	if got != "foyer 0.2.0 ("+commit+")\n" && got != "foyer 0.2.0 ("+commit+"+changes)\n" {
		t.Errorf("of %s: %q", commit, got)
	}
}

func versionOf(t *testing.T, flags ...string) string {
	t.Helper()
	path, err := binary.Build(t.TempDir(), "foyer", flags...)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(path, "version").Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
