package torture

import (
	"errors"
	"os"
	"testing"
	"time"

	"foyer/test/patroni"
)

// failover is a cluster that is to be broken, with processes of the service on it.
type failover struct {
	*patroni.Cluster
	t     *testing.T
	disks map[string]*disk // by node, if they can be filled
	procs serviceProcs
}

// newFailover starts a cluster. Its disks are small, so that they can be filled, and in memory, so that a slow disk of this machine is
// not taken for a dead node.
func newFailover(t *testing.T, asynchronous bool) *failover {
	t.Helper()
	f := &failover{t: t, disks: make(map[string]*disk)}
	o := patroni.Options{Asynchronous: asynchronous, Folders: make(map[string]string)}
	if os.Geteuid() == 0 {
		for _, name := range append([]string{"etcd"}, patroni.Names...) {
			f.disks[name] = smallDisk(t, "640m")
			o.Folders[name] = f.disks[name].folder
		}
	}
	var err error
	f.Cluster, err = patroni.New(o)
	switch {
	case errors.Is(err, patroni.ErrMissing) && os.Getenv("POSTGRES") != "required":
		skipOrFail(t, "%v", patroni.ErrMissing)
	case err != nil:
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(f.LogTail())
		}
		f.must(f.Close())
	})
	return f
}

// startOn makes a database, and starts processes of the service on it. Their address names both nodes.
func (f *failover) startOn(processes int) (dbURL string) {
	f.t.Helper()
	_, err := f.primary().Exec("postgres", "CREATE DATABASE foyer")
	f.must(err)
	dbURL = f.URL("foyer")
	f.procs = startProcs(f.t, dbURL, processes)
	return dbURL
}

func (f *failover) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *failover) primary() *patroni.Node {
	f.t.Helper()
	n, err := f.Primary()
	f.must(err)
	return n
}

// untilWritable waits until a node is the primary and accepts writes, and returns when that was. The write does not wait for a
// standby: no process of the service can be faster.
func (f *failover) untilWritable(n *patroni.Node) time.Time {
	f.t.Helper()
	const write = "SET synchronous_commit = local; SET statement_timeout = '2s'; CREATE TABLE IF NOT EXISTS written (at timestamptz); INSERT INTO written VALUES (now())"
	return f.until("takes over", n, write, func(string) bool { return true })
}

// untilAlone waits until a primary no longer waits for its standby.
func (f *failover) untilAlone(n *patroni.Node) time.Time {
	f.t.Helper()
	return f.until("goes on alone", n, "SHOW synchronous_standby_names", func(names string) bool { return names == "" })
}

func (f *failover) until(what string, n *patroni.Node, statement string, done func(string) bool) time.Time {
	f.t.Helper()
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		rows, err := n.Exec("postgres", statement)
		if err == nil && done(rows) {
			return time.Now()
		}
		if time.Since(began) > time.Minute {
			f.t.Fatalf("%s: not after a minute: %q %v", what, rows, err)
		}
	}
}
