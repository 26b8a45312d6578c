package storetest

import (
	"context"
	"crypto/rand"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"foyer/internal/store"
	"foyer/test/postgres"
)

// OnPostgreSQL is the name of a test that runs others once more, each below it, on PostgreSQL.
const OnPostgreSQL = "TestOnPostgreSQL"

// Again runs tests that other tests are already, each on a database of PostgreSQL. Where there is no PostgreSQL it is
// skipped, and says so. It is called by a test of the name OnPostgreSQL.
func Again(t *testing.T, tests map[string]func(*testing.T)) {
	t.Helper()
	postgres.Shared(t)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { t.Parallel(); test(t) })
	}
}

// Database names a database without rows for one test: on PostgreSQL below a test of the name OnPostgreSQL, on SQLite
// elsewhere. It has its tables already, copied from another database: creating them takes longer than most tests.
func Database(t *testing.T) string {
	t.Helper()
	if RunsAgain(t) {
		return PostgreSQL(t)
	}
	return SQLite(t)
}

// RunsAgain says whether a test runs below a test of the name OnPostgreSQL.
func RunsAgain(t *testing.T) bool { return strings.HasPrefix(t.Name(), OnPostgreSQL+"/") }

// SQLite makes such a database in a file.
func SQLite(t *testing.T) string {
	t.Helper()
	template, err := sqliteTemplate()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "foyer.db")
	if err := os.WriteFile(path, template, 0o600); err != nil {
		t.Fatal(err)
	}
	return "sqlite:" + path
}

// sqliteTemplate is the file of a SQLite database that has its tables and no rows.
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

// PostgreSQL makes such a database on the server that all tests of a program share.
func PostgreSQL(t *testing.T) string {
	t.Helper()
	server := postgres.Shared(t)
	like, err := postgresTemplate(server)
	if err != nil {
		t.Fatal(err)
	}
	name := "foyer_" + strings.ToLower(rand.Text())
	if _, err := server.Exec("postgres", "CREATE DATABASE "+name+" TEMPLATE "+like); err != nil {
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

// postgresTemplate is the database that the others are copies of.
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
