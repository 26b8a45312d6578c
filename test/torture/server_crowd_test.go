package torture

import (
	"context"
	"database/sql"
	"testing"
	"time"
)

// crowded starts a server that has few connections.
func crowded(t *testing.T) *ground {
	t.Helper()
	return newGround(t, "max_connections=40", "superuser_reserved_connections=0")
}

// crowdOut has others take every connection that there is, and ends those of the service. They leave when it is over.
func (g *ground) crowdOut() (end func()) {
	g.t.Helper()
	db := open(g.t, g.URL("postgres"))
	db.SetMaxIdleConns(0) // a client that leaves hangs up
	others := []*sql.Conn{g.enter(db)}
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		for c := g.enter(db); c != nil; c = g.enter(db) {
			others = append(others, c)
		}
		var sent int
		if err := others[0].QueryRowContext(g.t.Context(), sendAway).Scan(&sent); err != nil {
			g.t.Fatal(err)
		}
		if sent == 0 && time.Since(began) > time.Second { // and it has tried in vain
			break
		}
	}
	return func() {
		for _, c := range others {
			_ = c.Close()
		}
		g.do(db.Close())
	}
}

// enter takes a connection, or nil where there is none.
func (g *ground) enter(db *sql.DB) *sql.Conn {
	ctx, cancel := context.WithTimeout(g.t.Context(), 5*time.Second)
	defer cancel()
	c, err := db.Conn(ctx)
	if err != nil {
		return nil
	}
	return c
}
