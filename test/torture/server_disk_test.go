package torture

import (
	"strings"
	"testing"
	"time"
)

// onSmallDisk starts a server on a disk that is soon full.
func onSmallDisk(t *testing.T) *ground {
	t.Helper()
	return groundOn(t, smallDisk(t, "200m"))
}

// fillDisk leaves no room for rows. PostgreSQL says so, and lives.
func (g *ground) fillDisk() (end func()) {
	g.t.Helper()
	empty := g.disk.fill()
	return func() {
		if !strings.Contains(g.Log(), "No space left on device") {
			g.t.Error("PostgreSQL found room: the disk was not full")
		}
		empty()
		g.up()
	}
}

// fillLog leaves no room for PostgreSQL's log. That ends it.
func (g *ground) fillLog() (end func()) {
	g.t.Helper()
	empty := g.disk.fill()
	for began := time.Now(); !strings.Contains(g.Log(), "PANIC"); {
		_, _ = g.Exec("postgres", "SELECT pg_switch_wal()") // a new file, as after much has been written
		if time.Since(began) > 10*time.Second {
			g.t.Fatal("PostgreSQL found room: the disk was not full")
		}
	}
	return func() { empty(); g.up() }
}
