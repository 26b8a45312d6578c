package forward

import "sync"

// maxInFlight is how many messages are in flight to all buyers.
const maxInFlight = 1024

// slots limits how many messages are in flight, or how many scans run: for one buyer, and for all.
type slots struct {
	perBuyer func(id string) int
	atOnce   int // for all buyers
	mu       sync.Mutex
	inUse    map[string]int
	total    int
	waiting  map[string]bool // buyers for which there was no slot
}

func newSlots(perBuyer func(id string) int, atOnce int) *slots {
	return &slots{perBuyer: perBuyer, atOnce: atOnce, inUse: make(map[string]int), waiting: make(map[string]bool)}
}

// acquire takes a slot of a buyer if one is free. If none is, it marks the buyer as waiting.
func (s *slots) acquire(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inUse[id] >= s.perBuyer(id) || s.total >= s.atOnce {
		s.waiting[id] = true
		return false
	}
	s.inUse[id]++
	s.total++
	return true
}

// markWaiting remembers that a buyer's queue has more than was claimed.
func (s *slots) markWaiting(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting[id] = true
}

// release returns a slot.
func (s *slots) release(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inUse[id]--; s.inUse[id] == 0 {
		delete(s.inUse, id)
	}
	s.total--
}

// freeTotal returns how many more messages may be in flight to all buyers.
func (s *slots) freeTotal() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(0, s.atOnce-s.total)
}

func (s *slots) free(id string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(0, min(s.perBuyer(id)-s.inUse[id], s.atOnce-s.total))
}

// takeWaiting removes and returns the waiting buyers that have a free slot again. The caller has to look into their queues,
// because they are no longer marked.
func (s *slots) takeWaiting() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var queues []string
	for id := range s.waiting {
		if s.inUse[id] < s.perBuyer(id) {
			queues = append(queues, id)
			delete(s.waiting, id)
		}
	}
	return queues
}
