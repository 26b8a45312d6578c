// Package hostile attacks the built binary over raw sockets: broken framing, oversized and half-sent requests, slow and
// idle connections, odd bodies. After each attack the service must be alive and well, have logged no error of its own,
// and hold exactly the leads that it answered with an acceptance.
//
// It sends nothing beyond the loopback interface.
package hostile

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// binary is the program, built once for all tests here.
var binary string

// withSlowHTTPTest lets slowhttptest run, which takes a minute; make hostile asks for it.
var withSlowHTTPTest = flag.Bool("slowhttptest", false, "also run slowhttptest, where it is installed")

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "foyer-hostile-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "foyer")
	if out, err := exec.Command("go", "build", "-o", binary, "foyer/cmd/foyer").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}
