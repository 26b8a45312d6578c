package sqlite_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"foyer/internal/store/db"
	"foyer/internal/store/sqlite"
)

// file makes a file with a table of three numbers, and returns a pool that writes to it, and its read pool with one connection.
func file(t *testing.T) (writer, reader *sql.DB) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "foyer.db")
	writer, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { writer.Close() })
	exec(t, writer, `CREATE TABLE numbers (n INTEGER)`, `INSERT INTO numbers VALUES (1), (2), (3)`)
	reader, err = sqlite.New(path).Read()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { reader.Close() })
	reader.SetMaxOpenConns(1) // every query runs on the same connection
	return writer, reader
}

func exec(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
}

func sum(t *testing.T, db *sql.DB, query string, args ...any) (n int64) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestStatementsAreReused runs the same texts again and again: with other arguments, after other rows, and after another column.
func TestStatementsAreReused(t *testing.T) {
	writer, reader := file(t)
	const query = `SELECT coalesce(sum(n), 0) FROM numbers WHERE n >= $1`
	for first, want := range map[int]int64{1: 6, 3: 3, 9: 0} {
		for range 2 {
			if got := sum(t, reader, query, first); got != want {
				t.Errorf("from %d on the sum is %d, want %d", first, got, want)
			}
		}
	}
	exec(t, writer, `INSERT INTO numbers VALUES (4)`, `ALTER TABLE numbers ADD COLUMN m INTEGER DEFAULT 5`)
	if got := sum(t, reader, query, 1); got != 10 {
		t.Errorf("a new row and a new column: the sum is %d", got)
	}
	if _, err := reader.ExecContext(t.Context(), `DELETE FROM numbers`); err == nil || !strings.Contains(err.Error(), "readonly") {
		t.Errorf("a write on the read pool: %v", err)
	}
}

// TestAQueryInsideItself reads a table for each row of the same query, in one transaction.
func TestAQueryInsideItself(t *testing.T) {
	_, reader := file(t)
	const query = `SELECT n FROM numbers WHERE n >= $1 ORDER BY n`
	for range 2 { // the second time the statements are there
		tx, err := reader.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		outer, err := tx.QueryContext(t.Context(), query, 1)
		if err != nil {
			t.Fatal(err)
		}
		for outer.Next() {
			var n, m int
			if err := outer.Scan(&n); err != nil {
				t.Fatal(err)
			}
			inner, err := tx.QueryContext(t.Context(), query, n+1)
			if err != nil {
				t.Fatal(err)
			}
			for inner.Next() {
				if err := inner.Scan(&m); err != nil {
					t.Fatal(err)
				}
				got = append(got, fmt.Sprint(n, m))
			}
			if err := inner.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := tx.Rollback(); err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(got, ", "); text != "1 2, 1 3, 2 3" {
			t.Errorf("read %s", text)
		}
	}
}

// TestStatementsDoNotPileUp runs more texts than a connection keeps.
func TestStatementsDoNotPileUp(t *testing.T) {
	_, reader := file(t)
	for range 2 {
		for i := range 3 * sqlite.MaxStatements {
			if got := sum(t, reader, fmt.Sprintf(`SELECT sum(n) + %d FROM numbers`, i)); got != int64(6+i) {
				t.Fatalf("query %d: %d", i, got)
			}
		}
	}
	if n := sqlite.IdleStatements(t, reader); n != sqlite.MaxStatements {
		t.Errorf("it keeps %d statements, want %d", n, sqlite.MaxStatements)
	}
	_, another := file(t)
	sum(t, another, `SELECT sum(n) FROM numbers WHERE n IN (1`+strings.Repeat(`, 1`, 1000)+`)`)
	if n := sqlite.IdleStatements(t, another); n != 0 {
		t.Errorf("it keeps %d long statements", n)
	}
}

// TestWriterDoesNotPileUp runs more texts on the write connection than it keeps, and a query inside itself.
func TestWriterDoesNotPileUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "foyer.db")
	made, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	exec(t, made, `CREATE TABLE numbers (n INTEGER)`)
	if err := made.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := sqlite.New(path).Write(t.Context(), db.RoleAll)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 * sqlite.MaxStatements {
		if err := c.Exec(fmt.Sprintf(`INSERT INTO numbers VALUES (%d)`, i), nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := sqlite.WriterStatements(c); n != sqlite.MaxStatements {
		t.Errorf("it keeps %d statements, want %d", n, sqlite.MaxStatements)
	}
	const query = `SELECT n FROM numbers WHERE n >= $1 AND n < 3 ORDER BY n`
	var got []string
	if err := c.Query(query, []any{int64(0)}, func(outer db.Row) error {
		return c.Query(query, []any{outer.Int(0) + 1}, func(inner db.Row) error {
			got = append(got, fmt.Sprint(outer.Int(0), inner.Int(0)))
			return nil
		})
	}); err != nil || strings.Join(got, ", ") != "0 1, 0 2, 1 2" {
		t.Errorf("read %q, %v", got, err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
