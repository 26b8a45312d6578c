package torture

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"
)

// allConnections is how many connections a crowded server has.
const allConnections = 40

// newCrowdedServer starts a server with few connections.
func newCrowdedServer(t *testing.T) *pgServer {
	t.Helper()
	return newPGServer(t, fmt.Sprint("max_connections=", allConnections), "superuser_reserved_connections=0")
}

// exhaustConnections makes other clients take every connection, and ends those of the service. The returned function
// releases them.
func (pg *pgServer) exhaustConnections() (end func()) {
	pg.t.Helper()
	db := open(pg.t, pg.URL("postgres"))
	db.SetMaxIdleConns(0) // a released connection is closed
	others := []*sql.Conn{pg.tryConnect(db)}
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		for c := pg.tryConnect(db); c != nil; c = pg.tryConnect(db) {
			others = append(others, c)
		}
		if len(others) == allConnections && time.Since(began) > time.Second { // and the service has tried in vain
			break
		}
		var sent int // a backend that ends keeps its place for a moment, so that none left does not mean none free
		if err := others[0].QueryRowContext(pg.t.Context(), terminateQuery).Scan(&sent); err != nil {
			pg.t.Fatal(err)
		}
		if time.Since(began) > time.Minute {
			pg.t.Fatalf("the others have %d of %d connections", len(others), allConnections)
		}
	}
	return func() {
		for _, c := range others {
			_ = c.Close()
		}
		pg.must(db.Close())
	}
}

// tryConnect takes a connection, or returns nil if there is none.
func (pg *pgServer) tryConnect(db *sql.DB) *sql.Conn {
	ctx, cancel := context.WithTimeout(pg.t.Context(), 5*time.Second)
	defer cancel()
	c, err := db.Conn(ctx)
	if err != nil {
		return nil
	}
	return c
}
