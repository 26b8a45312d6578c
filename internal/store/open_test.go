package store_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	notADatabase := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(notADatabase, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, database := range map[string]string{
		"no engine named":       "foyer.db",
		"an unknown engine":     "mysql:foyer.db",
		"no path":               "sqlite:",
		"no such folder":        "sqlite:" + filepath.Join(t.TempDir(), "nowhere", "foyer.db"),
		"a folder":              "sqlite:" + t.TempDir(),
		"a file of another use": "sqlite:" + notADatabase,
	} {
		t.Run(name, func(t *testing.T) {
			s, err := store.Open(t.Context(), database, storetest.NoLog)
			if err == nil {
				s.Close()
				t.Fatal("it was opened")
			}
			// An address without a known engine is not repeated: it may contain a password.
			if known := strings.HasPrefix(database, "sqlite:") && database != "sqlite:"; strings.Contains(err.Error(), database+":") != known {
				t.Errorf("the error names the database or what is none: %v", err)
			}
			r, err := store.OpenReader(t.Context(), database)
			if err == nil || r != nil {
				t.Errorf("the reader: got %v, %v", r, err)
			}
		})
	}
}

func TestReaderCreatesNoDatabase(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "foyer.db")
	if _, err := store.OpenReader(t.Context(), "sqlite:"+path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v, want an error that names the path", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("OpenReader created a file")
	}
}

func TestAReaderCannotWrite(t *testing.T) {
	database := storetest.Database(t)
	storetest.Save(t, storetest.Open(t, database), storetest.Lead("lead_1"))
	r := storetest.OpenReader(t, database)
	if err := r.Exec(t.Context(), "DELETE FROM leads"); err == nil {
		t.Error("a reader deleted leads")
	}
	if list, err := r.Newest(t.Context(), 10); err != nil || len(list) != 1 {
		t.Errorf("got %d leads (%v), want 1", len(list), err)
	}
}

// rowsOf returns all rows of a table as text by column, read without the store.
func rowsOf(t *testing.T, database, table string) []map[string]string {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+strings.TrimPrefix(database, "sqlite:"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), "SELECT * FROM "+table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for rows.Next() {
		cells, dest := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range cells {
			dest[i] = &cells[i]
		}
		if err := rows.Scan(dest...); err != nil {
			t.Fatal(err)
		}
		row := make(map[string]string)
		for i, c := range columns {
			row[c] = cells[i].String
		}
		out = append(out, row)
	}
	return out
}
