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

// ground is a PostgreSQL server of a test's own, to be broken, with a database of Foyer's on it.
type ground struct {
	*postgres.Server
	t    *testing.T
	url  string // of the database that is in use
	disk *disk  // where it lies, if that is to be broken too
}

// small keeps a server from writing more log than its disk holds, and has it clear up often, so that crashes catch it at that too.
var small = []string{"max_wal_size=64MB", "min_wal_size=32MB", "checkpoint_timeout=30s"}

// newGround starts a server whose commits wait for the disk.
func newGround(t *testing.T, settings ...string) *ground {
	t.Helper()
	return groundIn(t, t.TempDir(), settings...)
}

// groundOn starts a server whose data are on a disk.
func groundOn(t *testing.T, d *disk, settings ...string) *ground {
	t.Helper()
	g := groundIn(t, d.folder, settings...)
	g.disk = d
	return g
}

func groundIn(t *testing.T, folder string, settings ...string) *ground {
	t.Helper()
	data := filepath.Join(folder, "data")
	if out, err := exec.Command("cp", "-a", seed(t), data).CombinedOutput(); err != nil {
		t.Fatalf("cp: %v: %s", err, out)
	}
	s := postgres.Start(t, postgres.Options{Data: data, Settings: slices.Concat(small, settings)})
	return &ground{Server: s, t: t}
}

// seed is the data of a server that was only started and stopped. To copy them takes less time than to make them.
func seed(t *testing.T) string {
	t.Helper()
	made, err := seeds()
	switch {
	case errors.Is(err, postgres.ErrMissing) && os.Getenv("POSTGRES") != "required":
		cannot(t, "%v", postgres.ErrMissing)
	case err != nil:
		t.Fatal(err)
	}
	return made
}

var seeds = sync.OnceValues(func() (string, error) {
	data := filepath.Join(workshop, "seed")
	s, err := postgres.New(postgres.Options{Data: data})
	if err != nil {
		return "", err
	}
	return data, s.Close()
})

// fresh makes an empty database and drops the one before: a server that crashed looks at every file that it has.
func (g *ground) fresh() string {
	g.t.Helper()
	before := g.url
	g.url = g.Database(g.t)
	if before != "" {
		g.run("DROP DATABASE " + before[strings.LastIndex(before, "/")+1:] + " WITH (FORCE)")
	}
	return g.url
}

// do is for what has to work for a test to go on.
func (g *ground) do(err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
}

// run runs statements on the server, as its operator does.
func (g *ground) run(statements string) string {
	g.t.Helper()
	rows, err := g.Exec("postgres", statements)
	g.do(err)
	return rows
}

// up starts the server where it is down, and waits until it takes clients: one that crashed may be getting up by itself.
func (g *ground) up() {
	g.t.Helper()
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		if !g.Alive() {
			g.do(g.Start())
		}
		_, err := g.Exec("postgres", "SELECT 1")
		if err == nil {
			return
		}
		if time.Since(began) > postgres.Patience {
			g.t.Fatal(err)
		}
	}
}
