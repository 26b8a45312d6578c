package sqlite

import (
	"database/sql"
	"testing"
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
