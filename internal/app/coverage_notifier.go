package app

import (
	"slices"
	"sync"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
)

// coverageListener publishes texts that depend on which services at least one buyer covers. It is not told which buyers, how
// many, or where.
type coverageListener interface{ SetCoverage(covered ...lead.Service) }

// coverageNotifier keeps what its listeners publish about coverage up to date.
type coverageNotifier struct {
	coverage  func() *buyer.Coverage
	listeners []coverageListener

	mu   sync.Mutex
	last []lead.Service // what the listeners were told last; a new listener says that nothing is covered
}

// startCoverageNotifier tells the listeners what is covered now, and again whenever that changes. Call it before the forwarder
// runs.
func startCoverageNotifier(f *forward.Forwarder, listeners ...coverageListener) {
	n := &coverageNotifier{coverage: f.Coverage, listeners: listeners}
	f.Changed = n.notify
	n.notify()
}

// notify tells the listeners if the covered services changed. It reads the coverage itself, because of two concurrent changes
// the older one may be reported last.
func (n *coverageNotifier) notify() {
	n.mu.Lock()
	defer n.mu.Unlock()
	covered := n.coverage().Services()
	if slices.Equal(covered, n.last) {
		return
	}
	n.last = covered
	for _, listener := range n.listeners {
		listener.SetCoverage(covered...)
	}
}
