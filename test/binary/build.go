// Package binary builds the program and runs it, for tests that use it as its users do.
//
// The package asserts only that the program starts and stops when told to; the tests check everything else.
package binary

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Build builds the program into a folder, with the caller's flags for go build, and returns its path.
func Build(folder, name string, flags ...string) (string, error) {
	path := filepath.Join(folder, name)
	args := append(append([]string{"build"}, flags...), "-o", path, "foyer/cmd/foyer")
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
}

// Main builds the program for a TestMain, passes on its path, and runs the tests.
func Main(run func() int, built func(path string)) {
	os.Exit(buildAndRun(run, built))
}

// MainUnlessShort is Main for packages that go test -short leaves out.
func MainUnlessShort(run func() int, built func(path string)) {
	flag.Parse()
	if testing.Short() {
		fmt.Println("-short: not tested")
		return
	}
	Main(run, built)
}

func buildAndRun(run func() int, built func(path string)) int {
	folder, err := os.MkdirTemp("", "foyer-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path, err := Build(folder, "foyer")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	built(path)
	return run()
}
