package storetest

import (
	"context"
	"crypto/rand"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"foyer/internal/store"
	"foyer/test/postgres"
)

// OnPostgreSQL is the name of a test that runs other tests again, as subtests, on PostgreSQL.
const OnPostgreSQL = "TestOnPostgreSQL"

// RunOnPostgreSQL runs existing tests again, each on a PostgreSQL database. Without PostgreSQL it skips the test with a message. The test
// that calls it must have the name OnPostgreSQL.
func RunOnPostgreSQL(t *testing.T, tests map[string]func(*testing.T)) {
	t.Helper()
	postgres.Shared(t)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { t.Parallel(); test(t) })
	}
}

// Database creates a database without rows for one test, on PostgreSQL in a subtest of OnPostgreSQL and on SQLite otherwise, and
// returns its address. It copies the tables from a template: creating them takes longer than most tests.
func Database(t *testing.T) string {
	t.Helper()
	if RunsOnPostgreSQL(t) {
		return PostgreSQL(t)
	}
	return SQLite(t)
}

// RunsOnPostgreSQL reports whether a test runs as a subtest of OnPostgreSQL.
func RunsOnPostgreSQL(t *testing.T) bool { return strings.HasPrefix(t.Name(), OnPostgreSQL+"/") }

// Parallel marks a test as parallel, except where Again has done so before.
func Parallel(t *testing.T) {
	t.Helper()
	if !RunsOnPostgreSQL(t) {
		t.Parallel()
	}
}

// Long skips a test that computes for seconds, where -short asks for few of them.
func Long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes seconds: make test runs it")
	}
}

// SQLite is Database on SQLite.
func SQLite(t *testing.T) string {
	t.Helper()
	template, err := sqliteTemplate()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(memoryDir(t), "foyer.db")
	if err := os.WriteFile(path, template, 0o600); err != nil {
		t.Fatal(err)
	}
	return "sqlite:" + path
}

// memoryRoom is more than the files of all tests that run at the same time take.
const memoryRoom = 1 << 30

// memoryDir returns a directory in memory, where commits and checkpoints do not wait for a disk, or one on disk if memory has no file
// system or too little room.
func memoryDir(t *testing.T) string {
	t.Helper()
	var memory syscall.Statfs_t
	if syscall.Statfs("/dev/shm", &memory) != nil || memory.Bavail*uint64(memory.Bsize) < memoryRoom {
		return t.TempDir()
	}
	folder, err := os.MkdirTemp("/dev/shm", "foyer-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

// sqliteTemplate returns the file of a SQLite database with tables but no rows.
var sqliteTemplate = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "foyer-template-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "foyer.db")
	s, err := store.Open(context.Background(), "sqlite:"+path, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// PostgreSQL is Database on PostgreSQL, on a server that all tests of a test binary share.
func PostgreSQL(t *testing.T) string {
	t.Helper()
	server := postgres.Shared(t)
	from, err := postgresTemplate(server)
	if err != nil {
		t.Fatal(err)
	}
	name := "foyer_" + strings.ToLower(rand.Text())
	// Copying the files takes the server a quarter of what it takes to log each block, as it does unless told.
	if _, err := server.Exec("postgres", "CREATE DATABASE "+name+" TEMPLATE "+from+" STRATEGY FILE_COPY"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := server.Exec("postgres", "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	return server.URL(name)
}

var template struct {
	sync.Mutex
	name string
}

// postgresTemplate returns the name of the database that the others are copied from.
func postgresTemplate(server *postgres.Server) (string, error) {
	template.Lock()
	defer template.Unlock()
	if template.name != "" {
		return template.name, nil
	}
	url, err := server.NewDatabase()
	if err != nil {
		return "", err
	}
	s, err := store.Open(context.Background(), url, slog.New(slog.DiscardHandler))
	if err != nil {
		return "", err
	}
	if err := s.Close(); err != nil {
		return "", err
	}
	template.name = url[strings.LastIndex(url, "/")+1:]
	return template.name, nil
}
