package postgres

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// query returns rows, or ends the test.
func query(t *testing.T, s *Server, url, statements string) string {
	t.Helper()
	rows, err := s.Exec(name(url), statements)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func name(url string) string { return url[strings.LastIndex(url, "/")+1:] }

// want compares two values, and names what was compared.
func want(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func TestLifecycle(t *testing.T) {
	t.Parallel()
	began := time.Now()
	s := Start(t, Options{Settings: []string{"max_connections=20"}})
	t.Logf("a durable server started in %v", time.Since(began).Round(time.Millisecond))
	for setting, value := range map[string]string{
		"max_connections": "20", "fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "listen_addresses": "127.0.0.1",
		"server_encoding": "UTF8", "timezone": "UTC",
	} {
		want(t, setting, query(t, s, "postgres", "SHOW "+setting), value)
	}
	want(t, "order of words", query(t, s, "postgres", "SELECT DISTINCT datcollate FROM pg_database"), "C")
	url := s.Database(t)
	query(t, s, url, "CREATE TABLE kept (n int, word text); INSERT INTO kept VALUES (1, 'one'), (2, NULL)")
	for _, end := range []struct {
		name string
		end  func() error
		log  string
	}{
		{"kill", s.Kill, "database system was not properly shut down; automatic recovery in progress"},
		{"immediate stop", func() error { return s.Stop(Immediate) }, "received immediate shutdown request"},
		{"fast stop", func() error { return s.Stop(Fast) }, "database system is shut down"},
	} {
		before, processes := len(s.Log()), processTree(s.PID())
		if len(processes) < 4 {
			t.Errorf("%s: only %d processes were found", end.name, len(processes))
		}
		if err := end.end(); err != nil {
			t.Fatal(err)
		}
		if s.Alive() || s.PID() != 0 || slices.ContainsFunc(processes, process.alive) {
			t.Errorf("%s: not all processes are gone", end.name)
		}
		if _, err := s.Exec(name(url), "SELECT 1"); err == nil {
			t.Errorf("%s: the server answers", end.name)
		}
		if err := s.Start(); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(s.Log()[before:], end.log) {
			t.Errorf("%s: the log does not say %q", end.name, end.log)
		}
		want(t, "after a "+end.name, query(t, s, url, "SELECT * FROM kept ORDER BY n"), "1|one\n2|")
	}
}

func TestFastDoesNotWaitForTheDisk(t *testing.T) {
	for _, setting := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
		want(t, setting, query(t, Shared(t), "postgres", "SHOW "+setting), "off")
	}
}

func TestHungServer(t *testing.T) {
	t.Parallel()
	began := time.Now()
	s := Start(t, Options{Fast: true})
	t.Logf("a fast server started in %v", time.Since(began).Round(time.Millisecond))
	for range 2 {
		hang(t, s)
		answer := make(chan string, 1)
		go func() {
			rows, err := s.Exec("postgres", "SELECT 'awake'")
			if err != nil {
				rows = err.Error()
			}
			answer <- rows
		}()
		select {
		case got := <-answer:
			t.Errorf("a server that hangs said %q", got)
		case <-time.After(300 * time.Millisecond):
		}
		s.Resume()
		want(t, "after Resume", <-answer, "awake")
	}
	for name, end := range map[string]func() error{"kill": s.Kill, "stop": func() error { return s.Stop(Fast) }, "close": s.end} {
		processes, began := hang(t, s), time.Now()
		if err := end(); err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(processes, process.alive) || time.Since(began) > Patience/2 {
			t.Errorf("%s took %v; some processes are left: %v", name, time.Since(began), slices.ContainsFunc(processes, process.alive))
		}
		if err := s.Start(); err != nil {
			t.Fatal(err)
		}
	}
}

// hang pauses a server, and wants every process to be stopped, including those with clients.
func hang(t *testing.T, s *Server) []process {
	t.Helper()
	if err := s.Pause(); err != nil {
		t.Fatal(err)
	}
	all := processTree(s.PID())
	if len(all) < 4 || slices.ContainsFunc(all, func(p process) bool { return !p.stopped() }) {
		t.Errorf("of %d processes not all stand still", len(all))
	}
	return all
}

func TestTwoServers(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"one", "other"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Start(t, Options{Fast: true})
			url := s.Database(t)
			query(t, s, url, "CREATE TABLE mine (name text); INSERT INTO mine VALUES ('"+name+"')")
			want(t, "its own table", query(t, s, url, "SELECT name FROM mine"), name)
			want(t, "databases", query(t, s, "postgres", "SELECT count(*) FROM pg_database WHERE datname LIKE 'foyer%'"), "1")
		})
	}
}

// TestDataFolder keeps the data in a given folder, as a test with its own disk does.
func TestDataFolder(t *testing.T) {
	t.Parallel()
	skipIfShort(t)
	data := filepath.Join(t.TempDir(), "data")
	for _, statement := range []string{"CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)", "INSERT INTO kept VALUES (8)"} {
		s, err := New(Options{Fast: true, Data: data})
		requireServer(t, err)
		query(t, s, "postgres", statement)
		for range 2 {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Start(); err == nil {
			t.Error("a server that was closed started again")
		}
		if _, err := os.Stat(s.home); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", s.home, err)
		}
	}
	s := Start(t, Options{Fast: true, Data: data})
	want(t, "kept over two servers", query(t, s, "postgres", "SELECT sum(n) FROM kept"), "15")
}

// TestKilledServerLeavesNoSharedMemory checks the shared memory, which outlives processes.
func TestKilledServerLeavesNoSharedMemory(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Fast: true})
	for _, next := range []func() error{s.Start, s.Close} {
		if err := s.Kill(); err != nil {
			t.Fatal(err)
		}
		unlisted := filepath.Join(t.TempDir(), "unlisted")
		if err := os.WriteFile(unlisted, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		s.leftovers = append(s.leftovers, sharedMemory(unlisted))
		left := s.leftovers
		if n := countPresent(left); n < 3 {
			t.Errorf("a killed server left %d pieces of memory: this test proves nothing", n-1)
		}
		if err := next(); err != nil {
			t.Fatal(err)
		}
		if n := countPresent(left); n > 0 {
			t.Errorf("%d pieces of memory are left", n)
		}
	}
}

func countPresent(left []sharedMemory) (n int) {
	segments, _ := os.ReadFile("/proc/sysvipc/shm")
	for _, l := range left {
		if _, err := os.Stat(string(l)); err == nil || slices.Contains(strings.Fields(string(segments)), string(l)) {
			n++
		}
	}
	return n
}

func TestBadSetting(t *testing.T) {
	t.Parallel()
	skipIfShort(t)
	_, err := New(Options{Fast: true, Settings: []string{"max_connections=many"}})
	if err == nil || !strings.Contains(err.Error(), `invalid value for parameter "max_connections"`) {
		t.Errorf("the error does not tell what the log says: %v", err)
	}
}

func TestErrorsOfStatements(t *testing.T) {
	t.Parallel()
	_, err := Shared(t).Exec("postgres", "SELECT 1; SELECT 1/0; SELECT 2")
	if err == nil || !strings.Contains(err.Error(), "division by zero") {
		t.Errorf("the error does not tell what PostgreSQL says: %v", err)
	}
}
