package edge

import (
	"net/netip"
	"sync"

	"foyer/internal/limit"
)

// maxLargeBodies is how many larger bodies may be read at a time: each costs memory for as long as its sender likes.
const maxLargeBodies = 512

// largeBodies are being read now, by the whole process: its memory is what they use.
var largeBodies = bodyLimit{shares: limit.NewShares(maxLargeBodies)}

// bodyLimit limits the larger bodies that are read at a time. One client may have a quarter of them.
type bodyLimit struct {
	mu      sync.Mutex
	reading int
	shares  *limit.Shares
}

// add counts a body, unless there are too many, or too many of its client.
func (l *bodyLimit) add(client netip.Prefix) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reading >= maxLargeBodies || l.shares.IsFull(client) {
		return false
	}
	l.reading++
	l.shares.Add(client)
	return true
}

func (l *bodyLimit) remove(client netip.Prefix) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reading--
	l.shares.Remove(client)
}
