package main_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"foyer/internal/store/migrations"
	"foyer/internal/store/storetest"
	"foyer/test/binary"
	"foyer/test/postgres"
)

// runCopy runs a copy that must succeed, and wants the same hashes on both sides.
func runCopy(t *testing.T, from, to string) string {
	t.Helper()
	out, stderr, code := run(t, "db", "copy", "--from", from, "--to", to)
	if code != 0 || !strings.Contains(out, "leads ") || strings.Count(out, " on both sides\n") != len(migrations.Tables) || strings.Contains(out+stderr, "Pat Example") {
		t.Fatalf("exit code %d\n%s%s", code, out, stderr)
	}
	return out
}

// TestKilledCopyStartsAgain kills a copy at random moments, in both directions, until one completes.
func TestKilledCopyStartsAgain(t *testing.T) {
	server := postgres.Shared(t).Database(t) // first, because without a server the test skips
	leads := newStockedDatabase(t, 9000)     // more than one batch
	first := "sqlite:" + filepath.Join(t.TempDir(), "first.db")
	last := "sqlite:" + filepath.Join(t.TempDir(), "last.db")
	whole := runCopy(t, leads, first) // also between two databases of the same engine
	for _, way := range [][2]string{{first, server}, {server, last}} {
		kills := 0
		for moment := 5 * time.Millisecond; ; moment = moment * 5 / 4 {
			if killCopy(t, way[0], way[1], time.Duration(rand.Int64N(int64(2*moment)))) {
				break
			}
			kills++
		}
		t.Logf("killed %d times", kills)
		again := runCopy(t, way[0], way[1])
		if !strings.Contains(again, "Everything was already there") || hashes(again) != hashes(whole) {
			t.Errorf("at first:\n%s\nat last:\n%s", whole, again)
		}
	}
}

// hashes returns the lines about tables.
func hashes(out string) string { return out[:strings.Index(out, "allowances")] }

// killCopy starts a copy and kills it after a while. It reports whether the copy had already succeeded.
func killCopy(t *testing.T, from, to string, after time.Duration) bool {
	t.Helper()
	cmd := exec.Command(binary.Program, "db", "copy", "--from", from, "--to", to)
	cmd.Env = binary.EnvironmentOf(cmd)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { _ = cmd.Process.Signal(syscall.SIGKILL) })
	defer timer.Stop()
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code > 0 {
		t.Fatalf("exit code %d\n%s", code, &out)
	}
	return cmd.ProcessState.Success()
}

// newStockedDatabase creates a database with many leads, and returns its URL.
func newStockedDatabase(t *testing.T, many int) string {
	t.Helper()
	p := serveDatabase(t, "sqlite:"+filepath.Join(t.TempDir(), "foyer.db"))
	var clients sync.WaitGroup
	for i := range 16 {
		clients.Go(func() {
			for n := i; n < many; n += 16 {
				p.submitWithKey("hvac", fmt.Sprintf("305-555-01%02d", n%100), fmt.Sprint("key ", n))
			}
		})
	}
	clients.Wait()
	p.Stop()
	return p.Database
}

// TestInterruptedCopySaysHowToResume checks that an interrupt ends a copy cleanly, and that the command says how to resume.
// No service starts on the unfinished copy.
func TestInterruptedCopySaysHowToResume(t *testing.T) {
	storetest.Parallel(t)
	from := newStockedDatabase(t, 3000)
	for wait := time.Duration(0); wait < time.Second; wait += 5 * time.Millisecond {
		to := "sqlite:" + filepath.Join(t.TempDir(), "to.db")
		said, code := interruptCopy(t, from, to, wait)
		if code == 0 {
			t.Skip("NOT TESTED: the copy was too fast for an interrupt")
		}
		if code != 1 || said != "foyer: stopped. Run the same command again: it starts from the beginning\n" {
			t.Fatalf("exit code %d, %q", code, said)
		}
		o := cli{t, to}
		if status, _, _ := run(t, "db", "status", "--database", to); !strings.Contains(status, "not finished") {
			continue // the copy had not begun
		}
		if line := o.runFailing(1, "serve", "--addr", "127.0.0.1:0"); !strings.Contains(line, "not finished; the same foyer db copy does it again") {
			t.Errorf("a service on half a copy: %q", line)
		}
		runCopy(t, from, to)
		return
	}
}

// interruptCopy interrupts a copy some time after it began to write.
func interruptCopy(t *testing.T, from, to string, after time.Duration) (said string, code int) {
	t.Helper()
	cmd := exec.Command(binary.Program, "db", "copy", "--from", from, "--to", to)
	cmd.Env = binary.EnvironmentOf(cmd)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for start := time.Now(); time.Since(start) < binary.Patience; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(strings.TrimPrefix(to, "sqlite:") + "-wal"); err == nil {
			break
		}
	}
	time.Sleep(after)
	_ = cmd.Process.Signal(os.Interrupt)
	_ = cmd.Wait()
	return stderr.String(), cmd.ProcessState.ExitCode()
}

func TestBadCopiesRefused(t *testing.T) {
	storetest.Parallel(t)
	for name, args := range map[string][]string{
		"missing":     {},
		"no target":   {"--from", "sqlite:foyer.db"},
		"two engines": {"--from", "sqlite:foyer.db", "--to", "mysql://user:secret@db.example.com/foyer"},
		"key=value":   {"--from", "host=db.example.com user=foyer password=secret", "--to", "sqlite:foyer.db"},
		"no slashes":  {"--from", "sqlite:foyer.db", "--to", "postgres:foyer:secret@db.example.com"},
	} {
		if _, stderr, code := run(t, append([]string{"db", "copy"}, args...)...); code != 2 || strings.Count(stderr, "\n") != 1 || strings.Contains(stderr, "secret") {
			t.Errorf("%s: %d %q", name, code, stderr)
		}
	}
	for _, to := range []string{"postgres://user:secret@127.0.0.1:1/foyer", "sqlite:/nowhere/at/all.db"} {
		from := newCLI(t)
		from.run("db", "migrate")
		if _, stderr, code := run(t, "db", "copy", "--from", from.database, "--to", to); code != 1 || strings.Count(stderr, "\n") != 1 || strings.Contains(stderr, "secret") || strings.Contains(stderr, "a service is on") {
			t.Errorf("%s: %d %q", to, code, stderr)
		}
	}
}
