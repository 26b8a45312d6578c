package postgres

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// fakeTB is a testing.TB that records how the test ended.
type fakeTB struct {
	testing.TB
	skipped, failed string
}

func (tb *fakeTB) Skipf(format string, args ...any) {
	tb.skipped = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func (tb *fakeTB) Fatal(args ...any) {
	tb.failed = fmt.Sprint(args...)
	runtime.Goexit()
}

// run runs a test as if the programs were not installed.
func (tb *fakeTB) run(t *testing.T) {
	empty, done := t.TempDir(), make(chan struct{})
	go func() {
		defer close(done)
		Start(tb, Options{Binaries: empty})
		t.Error("a server was started without programs")
	}()
	<-done
}

func TestWithoutPostgreSQL(t *testing.T) {
	skipIfShort(t)
	t.Setenv("POSTGRES", "")
	lenient := &fakeTB{TB: t}
	lenient.run(t)
	want(t, "skipped", lenient.skipped, "NOT TESTED: PostgreSQL is not installed here; make postgres-tools installs it")
	want(t, "failed", lenient.failed, "")

	t.Setenv("POSTGRES", "required")
	strict := &fakeTB{TB: t}
	strict.run(t)
	want(t, "skipped", strict.skipped, "")
	if !strings.Contains(strict.failed, "PostgreSQL is not installed here; make postgres-tools installs it") {
		t.Errorf("failed with %q", strict.failed)
	}
}

// TestShared wants one server for all tests, and no database of a finished test.
func TestShared(t *testing.T) {
	s := Shared(t)
	var url string
	t.Run("a test", func(t *testing.T) {
		if Shared(t) != s {
			t.Error("this is another server")
		}
		url = s.Database(t)
		query(t, s, url, "SELECT 1")
	})
	want(t, "databases of a test that is over", query(t, s, "postgres", "SELECT count(*) FROM pg_database WHERE datname = '"+name(url)+"'"), "0")
}

func TestNewestFirst(t *testing.T) {
	for _, c := range []struct{ newer, older string }{
		{"/usr/lib/postgresql/17/bin", "/usr/lib/postgresql/15/bin"},
		{"/usr/lib/postgresql/10/bin", "/usr/lib/postgresql/9.6/bin"},
	} {
		if newestFirst(c.newer, c.older) >= 0 || newestFirst(c.older, c.newer) <= 0 {
			t.Errorf("%s is newer than %s", c.newer, c.older)
		}
	}
}
