package app

import (
	"context"
	"net/netip"
	"sync"
	"time"
)

// guestbook holds every open connection, and how many of them each client has.
type guestbook struct {
	share   int // of the places that one client may have
	mu      sync.Mutex
	guests  map[*guest]struct{}
	clients map[netip.Prefix]int
}

func newGuestbook(share int) guestbook {
	return guestbook{share: share, guests: make(map[*guest]struct{}), clients: make(map[netip.Prefix]int)}
}

// enter notes a connection, unless its client has its share of them.
func (b *guestbook) enter(g *guest) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if g.client.IsValid() {
		if b.clients[g.client] >= b.share {
			return false
		}
		b.clients[g.client]++
	}
	b.guests[g] = struct{}{}
	return true
}

func (b *guestbook) leave(g *guest) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.guests, g)
	if !g.client.IsValid() {
		return
	}
	if b.clients[g.client]--; b.clients[g.client] == 0 {
		delete(b.clients, g.client)
	}
}

// round looks after everybody who waits for an answer.
func (b *guestbook) round(context.Context, time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for g := range b.guests {
		g.watch.look()
	}
	return nil
}
