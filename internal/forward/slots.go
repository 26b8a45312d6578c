package forward

import "sync"

const (
	eachBuyer = 8    // messages at a time to one buyer: one that hangs keeps no more than these
	whenBusy  = 1    // the same, while the intake needs the machine: a lead that waits is kept, one that is refused is lost
	allBuyers = 1024 // messages at a time altogether
)

// slots bound what is under way.
type slots struct {
	mu     sync.Mutex
	inside map[string]int
	all    int
	limit  map[string]bool // lanes in which something waits for a slot
	busy   func() bool
}

// most is how many messages there may be at a time to one buyer.
func (s *slots) most() int {
	if s.busy() {
		return whenBusy
	}
	return eachBuyer
}

// take takes a slot of a buyer, if one is free. If none is, the lane is remembered.
func (s *slots) take(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inside[id] >= s.most() || s.all >= allBuyers {
		s.limit[id] = true
		return false
	}
	s.inside[id]++
	s.all++
	return true
}

// expect remembers that there is more in a lane than was taken.
func (s *slots) expect(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limit[id] = true
}

// release gives a slot back.
func (s *slots) release(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inside[id]--; s.inside[id] == 0 {
		delete(s.inside, id)
	}
	s.all--
}

// room is how many more messages there may be altogether.
func (s *slots) room() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(0, allBuyers-s.all)
}

func (s *slots) free(id string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(0, min(s.most()-s.inside[id], allBuyers-s.all))
}

// takeLimited takes out the lanes in which something waits and a slot is free again. Whoever takes them has to look into
// them: they are remembered no longer.
func (s *slots) takeLimited() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var lanes []string
	for id := range s.limit {
		if s.inside[id] < s.most() {
			lanes = append(lanes, id)
			delete(s.limit, id)
		}
	}
	return lanes
}
