package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/pressly/goose/v3"
)

// What the tests may see of a copy.

// Tables are the tables that are copied, with their columns; the first ones are the key.
func Tables() (columns map[string][]string, keys map[string]int) {
	columns, keys = make(map[string][]string), make(map[string]int)
	for _, s := range tableSpecs {
		columns[s.name], keys[s.name] = s.columns, s.keys
	}
	return columns, keys
}

// CopyAtOnce sets how many rows are copied at once, for one test.
func CopyAtOnce(t *testing.T, rows int) {
	before := copyBatch
	copyBatch = rows
	t.Cleanup(func() { copyBatch = before })
}

// Between the first look at both sides of a copy and the mark on its source, something happens.
func Between(t *testing.T, from, to string, something func()) error {
	t.Helper()
	source, err := engineFor(from)
	if err != nil {
		t.Fatal(err)
	}
	target, err := engineFor(to)
	if err != nil {
		t.Fatal(err)
	}
	c := &transfer{ctx: t.Context(), source: source, target: target}
	if err := c.acquireBoth(); err != nil {
		t.Fatal(err)
	}
	something()
	return errors.Join(c.markSource(), c.close())
}

// TakeBack takes the tables of a database back to an earlier version.
func TakeBack(t *testing.T, database string, version int64) {
	t.Helper()
	if _, err := migratorOf(t, database).DownTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
}

// MakeTables makes the tables of an earlier version.
func MakeTables(t *testing.T, database string, version int64) {
	t.Helper()
	if _, err := migratorOf(t, database).UpTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
}

func migratorOf(t *testing.T, database string) *goose.Provider {
	t.Helper()
	dialect, files := goose.DialectSQLite3, fs.FS(migrations)
	if strings.HasPrefix(database, "postgres") {
		dialect, files = goose.DialectPostgres, translatedFS{migrations}
	}
	provider, err := migrator(dialect, Raw(t, database), files)
	if err != nil {
		t.Fatal(err)
	}
	return provider
}

// Raw opens connections to a database that a test may spoil it with.
func Raw(t *testing.T, database string) *sql.DB {
	t.Helper()
	e, err := engineFor(database)
	if err != nil {
		t.Fatal(err)
	}
	name, address := "sqlite", ""
	switch e := e.(type) {
	case *sqliteFile:
		address = dsn(e.path)
	case *postgresServer:
		name, address = "pgx", database
	}
	db, err := sql.Open(name, address)
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

// Rows are all rows of a table in the order of its key, as they are hashed.
func Rows(t *testing.T, db *sql.DB, table string) (rows []string) {
	t.Helper()
	x := newStream(context.Background(), db, tableSpecs[tableSpec{name: table}.index()], nil)
	defer x.stop()
	for {
		r, err := x.peek()
		if err != nil {
			t.Fatal(err)
		}
		if r == nil {
			break
		}
		rows = append(rows, string(appendRecord(nil, r)))
		x.advance()
	}
	var there int
	if err := db.QueryRow(`SELECT count(*) FROM ` + table).Scan(&there); err != nil || there != len(rows) {
		t.Fatalf("%d of %d rows were read (%v)", len(rows), there, err)
	}
	return rows
}
