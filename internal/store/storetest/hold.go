package storetest

import (
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// updateLock is the number of the advisory lock that a process holds during an update on PostgreSQL.
const updateLock = 0x666f796572_01

// HoldWriter makes updates wait, as another process in a long transaction would. A SQLite writer waits for five seconds at most,
// so a test must release it before that.
func HoldWriter(t *testing.T, database string) (release func()) {
	t.Helper()
	driver, address, hold := "sqlite", "file:"+strings.TrimPrefix(database, "sqlite:")+"?_pragma=busy_timeout(5000)", "BEGIN IMMEDIATE" // the service may be writing just now
	if strings.HasPrefix(database, "postgres") {
		driver, address, hold = "pgx", database, fmt.Sprintf("SELECT pg_advisory_lock(%d)", updateLock)
	}
	db, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(t.Context(), hold); err != nil {
		t.Fatal(err)
	}
	release = sync.OnceFunc(func() { conn.Close(); db.Close() })
	t.Cleanup(release)
	return release
}
