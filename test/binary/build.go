// Package binary builds the program and runs it, for tests that use it as its users do: the one way for tests to start the binary.
// Tests that need the service in their own process use foyer/internal/app/apptest.
//
// The package asserts only that the program starts and stops when told to; the tests check everything else.
package binary

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// Program is the path of the program that Main built for the tests of a package.
var Program string

// Build builds the program into a folder, with the caller's flags for go build, and returns its path. Like a release it has no
// tables for debuggers, which take as long to link as the program.
func Build(folder, name string, flags ...string) (string, error) {
	path := filepath.Join(folder, name)
	args := slices.Concat([]string{"build", "-ldflags=-s -w"}, flags, []string{"-o", path, "foyer/cmd/foyer"})
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
}

// Main builds the program for a TestMain, and runs the tests.
func Main(run func() int) {
	os.Exit(buildAndRun(run))
}

// MainUnlessShort is Main for packages that go test -short leaves out.
func MainUnlessShort(run func() int) {
	flag.Parse()
	if testing.Short() {
		fmt.Println("-short: not tested")
		return
	}
	Main(run)
}

func buildAndRun(run func() int) int {
	folder, err := os.MkdirTemp("", "foyer-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	if Program, err = Build(folder, "foyer"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return run()
}
