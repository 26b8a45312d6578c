package storetest

import (
	"database/sql"
	"strings"
	"sync"
	"testing"
)

// HoldWriter keeps the writer of a SQLite file waiting, as another process in a long transaction would. The writer waits for five
// seconds at most, so a test must let it go before that.
func HoldWriter(t *testing.T, database string) (release func()) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+strings.TrimPrefix(database, "sqlite:")+"?_pragma=busy_timeout(5000)") // the service may be writing just now
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	release = sync.OnceFunc(func() { conn.Close(); db.Close() })
	t.Cleanup(release)
	return release
}
