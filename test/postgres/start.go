package postgres

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
)

// Start starts a server for one test. If PostgreSQL is not installed, the test is skipped, or fails with POSTGRES=required.
func Start(tb testing.TB, o Options) *Server {
	tb.Helper()
	skipIfShort(tb)
	s, err := New(o)
	requireServer(tb, err)
	tb.Cleanup(func() {
		logIfFailed(tb, s)
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

var shared = sync.OnceValues(func() (*Server, error) {
	// On a machine full of tests this server is slow to answer, not gone. A test of a server that is gone sets connect_timeout itself.
	if err := os.Setenv("PGCONNECT_TIMEOUT", "30"); err != nil {
		return nil, err
	}
	s, err := New(Options{Fast: true, Settings: []string{"max_connections=300"}})
	if err == nil {
		s.shared = true
	}
	return s, err
})

// Shared returns the fast server that all tests of a program share, for tests that only need a database. No test may stop
// it: it ends with the program.
func Shared(tb testing.TB) *Server {
	tb.Helper()
	skipIfShort(tb)
	s, err := shared()
	requireServer(tb, err)
	tb.Cleanup(func() { logIfFailed(tb, s) })
	return s
}

// Database creates an empty database for one test and returns its URL.
func (s *Server) Database(tb testing.TB) string {
	tb.Helper()
	url, err := s.NewDatabase()
	if err != nil {
		tb.Fatalf("%v\n%s", err, s.logTail())
	}
	if s.shared { // the server stays, so the database has to be dropped
		tb.Cleanup(func() {
			if _, err := s.Exec("postgres", "DROP DATABASE "+url[strings.LastIndex(url, "/")+1:]+" WITH (FORCE)"); err != nil {
				tb.Error(err)
			}
		})
	}
	return url
}

// skipIfShort leaves PostgreSQL to the long run: go test -short is for the minute between two edits.
func skipIfShort(tb testing.TB) {
	if testing.Short() {
		tb.Helper()
		tb.Skip("-short tests on SQLite alone")
	}
}

// requireServer ends a test that has no server.
func requireServer(tb testing.TB, err error) {
	tb.Helper()
	switch {
	case errors.Is(err, ErrMissing) && os.Getenv("POSTGRES") != "required":
		tb.Skipf("NOT TESTED: %v", ErrMissing)
	case err != nil:
		tb.Fatal(err)
	}
}

func logIfFailed(tb testing.TB, s *Server) {
	if tb.Failed() {
		tb.Log(s.logTail())
	}
}
