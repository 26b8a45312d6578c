package main_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"foyer/internal/store/storetest"
	"foyer/test/binary"
)

// TestVersionShowsCommit builds the program with and without its commit.
func TestVersionShowsCommit(t *testing.T) {
	storetest.Parallel(t)
	if testing.Short() {
		t.Skip("it builds the program twice")
	}
	if got := versionOf(t, "-buildvcs=false"); got != "foyer 0.2.0\n" {
		t.Errorf("without a commit: %q", got)
	}
	if git, err := os.Stat("../../.git"); err == nil && !git.IsDir() {
		t.Skip("this is a linked worktree, where go build does not look for a commit")
	}
	head, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		t.Skip("this is not a clone, so no build knows its commit")
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
