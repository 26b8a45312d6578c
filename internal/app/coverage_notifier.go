package app

import (
	"slices"
	"sync"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
)

// listener is a door with texts that depend on which services somebody covers somewhere. Nobody is told who, how many
// or where.
type listener interface{ Tell(covered ...lead.Service) }

// coverageNotifier keep true what the doors say about coverage.
type coverageNotifier struct {
	coverage  func() *buyer.Coverage
	listeners []listener

	mu   sync.Mutex
	told []lead.Service // what the doors say now; a new door says that nothing is covered
}

// follow has the doors say what is covered now, and say it anew whenever that changes. It has to be called before the
// forwarder runs.
func follow(f *forward.Forwarder, doors ...listener) {
	n := &coverageNotifier{coverage: f.Coverage, listeners: doors}
	f.Changed = n.renew
	n.renew()
}

// renew writes the texts anew, if other services are covered than before. It asks for the coverage itself: of two changes
// at the same time, the older may be told last.
func (n *coverageNotifier) renew() {
	n.mu.Lock()
	defer n.mu.Unlock()
	covered := n.coverage().Services()
	if slices.Equal(covered, n.told) {
		return
	}
	n.told = covered
	for _, door := range n.listeners {
		door.Tell(covered...)
	}
}
