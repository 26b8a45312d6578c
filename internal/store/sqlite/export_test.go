package sqlite

import (
	"database/sql"
	"testing"

	"foyer/internal/store/db"
)

const MaxStatements = maxStatements

// IdleStatements counts what a connection of a read pool keeps.
func IdleStatements(t *testing.T, pool *sql.DB) (n int) {
	t.Helper()
	c, err := pool.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Raw(func(driver any) error { n = len(driver.(*readConn).idle); return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}

// WriterStatements counts what a write connection keeps.
func WriterStatements(c db.Conn) int { return len(c.(*conn).statements) }
