package forward

import (
	"sync"
	"time"
)

const maxScans = 8 // how many walks there are at a time

// heldScans are the buyers for which somebody walks through what is held. Each has a walk of its own, so that a long one
// keeps nobody else waiting.
type heldScans struct {
	mu     sync.Mutex
	under  map[string]bool
	leases map[string]time.Time // until when each is ours, as it was written down last
}

// lease notes until when a walk is ours.
func (w *heldScans) lease(id string, until time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.leases == nil {
		w.leases = make(map[string]time.Time)
	}
	w.leases[id] = until
}

// until is the end of our lease.
func (w *heldScans) until(id string) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.leases[id]
}

func (w *heldScans) begin(id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.under == nil {
		w.under = make(map[string]bool)
	}
	if w.under[id] || len(w.under) >= maxScans {
		return false
	}
	w.under[id] = true
	return true
}

func (w *heldScans) end(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.under, id)
}
