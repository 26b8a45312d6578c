package forward

import (
	"sync"
	"time"
)

const maxScans = 8 // scans that run concurrently

// heldScans tracks the buyers for which this process scans the held leads. Each buyer has its own scan, so that a long one
// does not delay the others.
type heldScans struct {
	mu     sync.Mutex
	active map[string]bool
	leases map[string]time.Time // when each lease ends, as last written
}

// lease remembers when the lease of a scan ends.
func (s *heldScans) lease(id string, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.leases == nil {
		s.leases = make(map[string]time.Time)
	}
	s.leases[id] = until
}

// until returns when the lease of a scan ends.
func (s *heldScans) until(id string) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.leases[id]
}

func (s *heldScans) begin(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active == nil {
		s.active = make(map[string]bool)
	}
	if s.active[id] || len(s.active) >= maxScans {
		return false
	}
	s.active[id] = true
	return true
}

func (s *heldScans) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.active, id)
}
