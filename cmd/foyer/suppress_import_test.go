package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"foyer/internal/store/storetest"
	"foyer/test/binary"
	"foyer/test/stopwatch"
)

// TestImportSuppressedNumbers closes held leads, reports bad lines by number and not by content, and can be repeated.
func TestImportSuppressedNumbers(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir())
	id := p.Submit()
	file := filepath.Join(t.TempDir(), "numbers.csv")
	text := "\ufeffname,phone\nPat Example,(305) 555-0123\n\n# a remark\nNobody Known,12345\n305.555.0124\nNo Digits\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Numbers read: 2. New: 2. Known already: 0. Held requests closed: 1.\n", "Numbers read: 2. New: 0. Known already: 2. Held requests closed: 0.\n"} {
		out, stderr, code := run(t, "suppress", "import", file, "--reason", "asked by letter", "--database", p.Database)
		if code != 1 || out != want || stderr != "line 5: no phone number; a number has ten digits, such as 305-555-0123\n"+
			"line 7: no phone number; a number has ten digits, such as 305-555-0123\nfoyer: lines without a phone number: 2; everything else was imported\n" {
			t.Errorf("exit %d:\n%s%s", code, out, stderr)
		}
	}
	p.awaitStatus(id, "rejected", time.Second)
	if list, _, _ := run(t, "suppress", "list", "--database", p.Database); !strings.Contains(list, "+13055550124") || !strings.Contains(list, "asked by letter") {
		t.Errorf("the list:\n%s", list)
	}
	if _, stderr, code := run(t, "suppress", "import", "/nowhere", "--database", p.Database); code != 1 || !strings.Contains(stderr, "no such file") {
		t.Errorf("a file that is not there: %d %s", code, stderr)
	}
}

// TestImport100000Numbers reads standard input, prints no progress into a pipe, and takes seconds.
func TestImport100000Numbers(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	p := serve(t, t.TempDir())
	var text strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&text, "305%07d\n", 2_000_000+i)
	}
	cmd := exec.Command(binary.Program, "suppress", "import", "-", "--database", p.Database)
	cmd.Env, cmd.Stdin = binary.Environment(), strings.NewReader(text.String())
	watch := stopwatch.Start()
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "Numbers read: 100,000. New: 100,000. Known already: 0. Held requests closed: 0.\n" {
		t.Errorf("%s, %v", out, err)
	}
	if took := watch.Stop(); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}
