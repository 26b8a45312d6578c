package limit

import "net/netip"

// Shares counts how many of a number of slots each client holds. One client may hold a quarter of them. Its callers lock it.
type Shares struct {
	perClient int
	held      map[netip.Prefix]int
}

// NewShares returns the shares of a number of slots.
func NewShares(slots int) *Shares {
	return &Shares{perClient: max(1, slots/4), held: make(map[netip.Prefix]int)}
}

// IsFull reports whether a client holds its share. The zero prefix is a client that is not counted.
func (s *Shares) IsFull(client netip.Prefix) bool { return s.held[client] >= s.perClient }

// Add counts a slot that a client got.
func (s *Shares) Add(client netip.Prefix) {
	if client.IsValid() {
		s.held[client]++
	}
}

// Remove counts a slot that a client gave back.
func (s *Shares) Remove(client netip.Prefix) {
	if !client.IsValid() {
		return
	}
	if s.held[client]--; s.held[client] == 0 {
		delete(s.held, client)
	}
}
