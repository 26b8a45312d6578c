package storetest

import (
	"context"
	"crypto/rand"
	"log/slog"
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

// Database names an empty database for one test: on PostgreSQL below a test of the name OnPostgreSQL, on SQLite elsewhere.
func Database(t *testing.T) string {
	t.Helper()
	if strings.HasPrefix(t.Name(), OnPostgreSQL+"/") {
		return PostgreSQL(t)
	}
	return "sqlite:" + filepath.Join(t.TempDir(), "foyer.db")
}

// PostgreSQL makes a database on the server that all tests of a program share. It has its tables already, copied from
// another: to make them takes longer than most tests.
func PostgreSQL(t *testing.T) string {
	t.Helper()
	server := postgres.Shared(t)
	like, err := pattern(server)
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

var made struct {
	sync.Mutex
	name string
}

// pattern is the database that the others are copies of.
func pattern(server *postgres.Server) (string, error) {
	made.Lock()
	defer made.Unlock()
	if made.name != "" {
		return made.name, nil
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
	made.name = url[strings.LastIndex(url, "/")+1:]
	return made.name, nil
}
