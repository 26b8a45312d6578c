// Package torture injects faults: it breaks the disk, server or network under the service and checks that the service kept its word: a lead
// that was answered 202 is stored afterwards. It builds and drives the real binary, on its own disks and PostgreSQL
// servers. It knows nothing about how leads are stored, and uses the store only to read them back.
//
// TORTURE=short or TORTURE=full chooses how often; without it everything here is skipped. See the Makefile.
package torture

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"

	"foyer/test/binary"
)

var (
	workFolder string // removed after the tests
	program    string // the service
)

// unsafeProgram builds the same, but commits do not wait for the disk. Only one test needs it.
func unsafeProgram(t *testing.T) string {
	t.Helper()
	path, err := binary.Build(workFolder, "hopeful", "-ldflags", "-X foyer/internal/store/sqlite.synchronous=NORMAL")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMain(m *testing.M) {
	if os.Getenv("TORTURE") == "" {
		fmt.Println("torture: skipped; TORTURE=short or TORTURE=full runs it, make torture does so")
		return
	}
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	var err error
	if workFolder, err = os.MkdirTemp("", "foyer-torture-"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(workFolder)
	if program, err = binary.Build(workFolder, "foyer"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	flag.Parse()
	_ = flag.Set("test.parallel", strconv.Itoa(max(4, runtime.GOMAXPROCS(0)))) // the tests mostly wait
	return m.Run()
}

// choose picks how much to do: everything, or what there is time for with every change.
func choose[T any](full, short T) T {
	if os.Getenv("TORTURE") == "full" {
		return full
	}
	return short
}

// skipOrFail ends a test that lacks something on this machine. In a full run, a missing proof is a failure.
func skipOrFail(t *testing.T, why string, args ...any) {
	t.Helper()
	if choose(true, false) {
		t.Fatalf(why, args...)
	}
	t.Skipf("NOT TESTED: "+why, args...)
}

// report prints a promise and what was counted.
func report(t *testing.T, promise, counted string, args ...any) {
	t.Helper()
	fmt.Fprintf(t.Output(), "%s: %s\n", promise, fmt.Sprintf(counted, args...))
}

// thousands formats 61204 as 61,204.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
