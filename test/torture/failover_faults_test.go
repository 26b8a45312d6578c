package torture

import (
	"time"

	"foyer/test/patroni"
)

// clusterFault is a way for a cluster to lose its primary or its standby. It begins under load, and ends when the function that begin
// returns is called: after that the cluster becomes healthy by itself.
type clusterFault struct {
	name  string
	begin func(primary, standby *patroni.Node) (end func())
	stays bool // the primary stays the primary
}

// faults returns what can be done to a cluster here. The short form has only the first ones.
func (f *failover) faults() []clusterFault {
	f.t.Helper()
	all := []clusterFault{
		{name: "the primary is killed", begin: func(primary, _ *patroni.Node) func() { return f.kill(primary) }},
		{name: "the primary is cut off from all but the service", begin: func(primary, _ *patroni.Node) func() { return f.Isolate(primary, false) }},
		{name: "planned switch-over", begin: func(primary, _ *patroni.Node) func() { return f.switchOver(primary) }},
		{name: "the standby hangs", begin: func(_, standby *patroni.Node) func() { return f.freeze(standby) }, stays: true},
		{name: "the standby is cut off", begin: func(_, standby *patroni.Node) func() { return f.Isolate(standby, true) }, stays: true},
		{name: "the primary is cut off from all", begin: func(primary, _ *patroni.Node) func() { return f.Isolate(primary, true) }},
		{name: "the primary hangs", begin: func(primary, _ *patroni.Node) func() { return f.freeze(primary) }},
	}
	if len(f.disks) == 0 {
		report(f.t, "NOT TESTED", "a full disk: only root can mount one")
		return all
	}
	return append(all, clusterFault{name: "the disk of the primary is full", begin: func(primary, _ *patroni.Node) func() { return f.fillDisk(primary) }})
}

// kill ends a node. It is started again at the end.
func (f *failover) kill(n *patroni.Node) (end func()) {
	f.t.Helper()
	f.must(n.Kill())
	return func() { f.must(n.Start()) }
}

func (f *failover) freeze(n *patroni.Node) (end func()) {
	f.t.Helper()
	thaw, err := n.Freeze()
	f.must(err)
	return thaw
}

// switchOver does not wait for the command, which ends a while after the other node has taken over.
func (f *failover) switchOver(from *patroni.Node) (end func()) {
	done := make(chan error, 1)
	go func() { done <- f.Switchover(from) }()
	return func() { f.must(<-done) }
}

func (f *failover) fillDisk(n *patroni.Node) (end func()) {
	f.t.Helper()
	empty := f.disks[n.Name].fill()
	time.Sleep(time.Second) // until the service has met it
	f.must(n.FillLog())
	return empty
}
