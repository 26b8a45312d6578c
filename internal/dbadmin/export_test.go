package dbadmin

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"testing"

	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/migrations"
)

// CopyAtOnce sets how many rows are copied at once, for one test.
func CopyAtOnce(t *testing.T, rows int) {
	before := copyBatch
	copyBatch = rows
	t.Cleanup(func() { copyBatch = before })
}

// Between calls do between the first look at both sides of a copy and the mark on its source.
func Between(t *testing.T, from, to string, do func()) error {
	t.Helper()
	source, err := store.EngineFor(from)
	if err != nil {
		t.Fatal(err)
	}
	target, err := store.EngineFor(to)
	if err != nil {
		t.Fatal(err)
	}
	c := &copier{ctx: t.Context(), source: source, target: target}
	if err := c.acquire(); err != nil {
		t.Fatal(err)
	}
	do()
	return errors.Join(c.markSource(), c.close())
}

// Rows are all rows of a table in the order of its key, as they are hashed.
func Rows(t *testing.T, pool *sql.DB, table string) (rows []string) {
	t.Helper()
	s := migrations.Tables[slices.IndexFunc(migrations.Tables, func(s db.Table) bool { return s.Name == table })]
	if err := db.Each(context.Background(), pool, func(row db.Row) error {
		err := normalize(s, row)
		rows = append(rows, string(appendRow(nil, row)))
		return err
	}, selectAll(s)); err != nil {
		t.Fatal(err)
	}
	var there int
	if err := pool.QueryRow(`SELECT count(*) FROM ` + table).Scan(&there); err != nil || there != len(rows) {
		t.Fatalf("%d of %d rows were read (%v)", len(rows), there, err)
	}
	return rows
}
