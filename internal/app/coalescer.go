package app

import (
	"sync"
	"time"
)

// coalescer lets what comes within a short time leave together, so that it shares a commit. What comes after a pause leaves at
// once. A commit costs as much for one as for many, and what is passed on to buyers can spare two milliseconds.
type coalescer struct {
	interval time.Duration
	mu    sync.Mutex
	next  time.Time // when the next one leaves
}

func (t *coalescer) wait() {
	t.mu.Lock()
	now := time.Now()
	if t.next.Before(now.Add(-t.interval)) { // the last one left long ago
		t.next = now
	} else if !t.next.After(now) {
		t.next = t.next.Add(t.interval)
	}
	leaves := t.next
	t.mu.Unlock()
	time.Sleep(time.Until(leaves))
}
