package torture

import (
	"strings"
	"testing"
	"time"
)

// onSmallDisk starts a server on a disk that is soon full.
func onSmallDisk(t *testing.T) *pgServer {
	t.Helper()
	return pgServerOn(t, smallDisk(t, "200m"))
}

// fillDisk leaves no space for rows. PostgreSQL reports that, and keeps running.
func (pg *pgServer) fillDisk() (end func()) {
	pg.t.Helper()
	empty := pg.disk.fill()
	return func() {
		if !strings.Contains(pg.Log(), "No space left on device") {
			pg.t.Error("PostgreSQL found room: the disk was not full")
		}
		empty()
		pg.ensureUp()
	}
}

// fillLog leaves no space for PostgreSQL's log. That ends the server.
func (pg *pgServer) fillLog() (end func()) {
	pg.t.Helper()
	empty := pg.disk.fill()
	for began := time.Now(); !strings.Contains(pg.Log(), "PANIC"); {
		_, _ = pg.Exec("postgres", "SELECT pg_switch_wal()") // a new file, as after many writes
		if time.Since(began) > 10*time.Second {
			pg.t.Fatal("PostgreSQL found room: the disk was not full")
		}
	}
	return func() { empty(); pg.ensureUp() }
}
