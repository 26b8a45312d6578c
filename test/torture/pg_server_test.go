package torture

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/test/postgres"
)

// pgServer is a test's own PostgreSQL server, to be broken, with a Foyer database on it.
type pgServer struct {
	*postgres.Server
	t    *testing.T
	url  string // of the current database
	disk *disk  // that holds the data, if it is to be broken, too
}

// smallLogSettings keep a server from writing more log than its disk holds, and make it checkpoint often, so that crashes
// also hit checkpoints.
var smallLogSettings = []string{"max_wal_size=64MB", "min_wal_size=32MB", "checkpoint_timeout=30s"}

// newPGServer starts a server whose commits wait for the disk.
func newPGServer(t *testing.T, settings ...string) *pgServer {
	t.Helper()
	return pgServerIn(t, t.TempDir(), settings...)
}

// pgServerOn starts a server whose data is on a disk.
func pgServerOn(t *testing.T, d *disk, settings ...string) *pgServer {
	t.Helper()
	pg := pgServerIn(t, d.folder, settings...)
	pg.disk = d
	return pg
}

func pgServerIn(t *testing.T, folder string, settings ...string) *pgServer {
	t.Helper()
	data := filepath.Join(folder, "data")
	if out, err := exec.Command("cp", "-a", seed(t), data).CombinedOutput(); err != nil {
		t.Fatalf("cp: %v: %s", err, out)
	}
	s := postgres.Start(t, postgres.Options{Data: data, Settings: slices.Concat(smallLogSettings, settings)})
	return &pgServer{Server: s, t: t}
}

// seed returns the data of a server that was only started and stopped. Copying it takes less time than creating it.
func seed(t *testing.T) string {
	t.Helper()
	made, err := seeds()
	switch {
	case errors.Is(err, postgres.ErrMissing) && os.Getenv("POSTGRES") != "required":
		skipOrFail(t, "%v", postgres.ErrMissing)
	case err != nil:
		t.Fatal(err)
	}
	return made
}

var seeds = sync.OnceValues(func() (string, error) {
	data := filepath.Join(workFolder, "seed")
	s, err := postgres.New(postgres.Options{Data: data})
	if err != nil {
		return "", err
	}
	return data, s.Close()
})

// newDatabase creates an empty database and drops the previous one: after a crash, a server reads every file that it has.
func (pg *pgServer) newDatabase() string {
	pg.t.Helper()
	before := pg.url
	pg.url = pg.Database(pg.t)
	if before != "" {
		pg.run("DROP DATABASE " + before[strings.LastIndex(before, "/")+1:] + " WITH (FORCE)")
	}
	return pg.url
}

// must ends the test on an error.
func (pg *pgServer) must(err error) {
	pg.t.Helper()
	if err != nil {
		pg.t.Fatal(err)
	}
}

// run runs statements on the server, as its operator does.
func (pg *pgServer) run(statements string) string {
	pg.t.Helper()
	rows, err := pg.Exec("postgres", statements)
	pg.must(err)
	return rows
}

// ensureUp starts the server if it is down, and waits until it accepts connections: after a crash it may be restarting by
// itself.
func (pg *pgServer) ensureUp() {
	pg.t.Helper()
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		if !pg.Alive() {
			pg.must(pg.Start())
		}
		_, err := pg.Exec("postgres", "SELECT 1")
		if err == nil {
			return
		}
		if time.Since(began) > postgres.Patience {
			pg.t.Fatal(err)
		}
	}
}
