package storetest

import (
	"path/filepath"
	"testing"

	"foyer/test/postgres"
)

// Engines makes a migrated database without leads on each engine.
var Engines = map[string]func(t *testing.T) string{"SQLite": Database, "PostgreSQL": PostgreSQL}

// Empty makes a database without tables on each engine.
var Empty = map[string]func(t *testing.T) string{"SQLite": NewFile, "PostgreSQL": func(t *testing.T) string { return postgres.Shared(t).Database(t) }}

// OnEachEngine runs a test with databases of each engine.
func OnEachEngine(t *testing.T, databases map[string]func(t *testing.T) string, do func(t *testing.T, newDatabase func(t *testing.T) string)) {
	for name, newDatabase := range databases {
		t.Run(name, func(t *testing.T) { do(t, newDatabase) })
	}
}

// NewFile returns the address of a SQLite file that does not exist yet, or of a new PostgreSQL database if RunsOnPostgreSQL.
func NewFile(t *testing.T) string {
	if RunsOnPostgreSQL(t) {
		return PostgreSQL(t)
	}
	return "sqlite:" + filepath.Join(t.TempDir(), "foyer.db")
}
