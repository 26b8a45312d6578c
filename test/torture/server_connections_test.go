package torture

import (
	"context"
	"database/sql"
	"testing"
	"time"
)

// newCrowdedServer starts a server that has few connections.
func newCrowdedServer(t *testing.T) *pgServer {
	t.Helper()
	return newPGServer(t, "max_connections=40", "superuser_reserved_connections=0")
}

// exhaustConnections has others take every connection that there is, and ends those of the service. They leave when it is over.
func (pg *pgServer) exhaustConnections() (end func()) {
	pg.t.Helper()
	db := open(pg.t, pg.URL("postgres"))
	db.SetMaxIdleConns(0) // a client that leaves hangs up
	others := []*sql.Conn{pg.tryConnect(db)}
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		for c := pg.tryConnect(db); c != nil; c = pg.tryConnect(db) {
			others = append(others, c)
		}
		var sent int
		if err := others[0].QueryRowContext(pg.t.Context(), terminateQuery).Scan(&sent); err != nil {
			pg.t.Fatal(err)
		}
		if sent == 0 && time.Since(began) > time.Second { // and it has tried in vain
			break
		}
	}
	return func() {
		for _, c := range others {
			_ = c.Close()
		}
		pg.must(db.Close())
	}
}

// tryConnect takes a connection, or nil where there is none.
func (pg *pgServer) tryConnect(db *sql.DB) *sql.Conn {
	ctx, cancel := context.WithTimeout(pg.t.Context(), 5*time.Second)
	defer cancel()
	c, err := db.Conn(ctx)
	if err != nil {
		return nil
	}
	return c
}
