package storetest

import (
	"database/sql"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver pgx

	"foyer/internal/store"
	"foyer/internal/store/migrations"
	"foyer/internal/store/sqlite"
)

// Raw opens connections to a database that bypass the store.
func Raw(t testing.TB, database string) *sql.DB {
	t.Helper()
	e, err := store.EngineFor(database)
	if err != nil {
		t.Fatal(err)
	}
	driver, address := "pgx", database
	if f, file := e.(*sqlite.File); file {
		driver, address = "sqlite", sqlite.DSN(f.Path())
	}
	db, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// MustExec runs a statement that bypasses the store.
func MustExec(t testing.TB, database, statement string) {
	t.Helper()
	if _, err := Raw(t, database).ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// MigrateTo brings the tables of a database to a version, up or down.
func MigrateTo(t testing.TB, database string, version int64) {
	t.Helper()
	e, err := store.EngineFor(database)
	if err != nil {
		t.Fatal(err)
	}
	provider, err := migrations.Provider(e, Raw(t, database))
	if err != nil {
		t.Fatal(err)
	}
	now, err := provider.GetDBVersion(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if now < version {
		_, err = provider.UpTo(t.Context(), version)
	} else {
		_, err = provider.DownTo(t.Context(), version)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// QueryInt reads one number.
func QueryInt(t testing.TB, db *sql.DB, query string, args ...any) (n int) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
