package app

import (
	"slices"
	"sync"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
)

// coverageListener is a door with texts that depend on which services somebody covers somewhere. Nobody is told who, how many
// or where.
type coverageListener interface{ Tell(covered ...lead.Service) }

// coverageNotifier keep true what the doors say about coverage.
type coverageNotifier struct {
	coverage  func() *buyer.Coverage
	listeners []coverageListener

	mu   sync.Mutex
	last []lead.Service // what the doors say now; a new door says that nothing is covered
}

// startCoverageNotifier has the doors say what is covered now, and say it anew whenever that changes. It has to be called before the
// forwarder runs.
func startCoverageNotifier(f *forward.Forwarder, doors ...coverageListener) {
	n := &coverageNotifier{coverage: f.Coverage, listeners: doors}
	f.Changed = n.notify
	n.notify()
}

// notify writes the texts anew, if other services are covered than before. It asks for the coverage itself: of two changes
// at the same time, the older may be told last.
func (n *coverageNotifier) notify() {
	n.mu.Lock()
	defer n.mu.Unlock()
	covered := n.coverage().Services()
	if slices.Equal(covered, n.last) {
		return
	}
	n.last = covered
	for _, door := range n.listeners {
		door.Tell(covered...)
	}
}
