package app

import (
	"context"
	"net/netip"
	"sync"
	"time"
)

// connSet holds every open connection, and how many of them each client has.
type connSet struct {
	perClient   int // of the places that one client may have
	mu      sync.Mutex
	conns   map[*trackedConn]struct{}
	clients map[netip.Prefix]int
}

func newConnSet(share int) connSet {
	return connSet{perClient: share, conns: make(map[*trackedConn]struct{}), clients: make(map[netip.Prefix]int)}
}

// add notes a connection, unless its client has its share of them.
func (b *connSet) add(g *trackedConn) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if g.client.IsValid() {
		if b.clients[g.client] >= b.perClient {
			return false
		}
		b.clients[g.client]++
	}
	b.conns[g] = struct{}{}
	return true
}

func (b *connSet) remove(g *trackedConn) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.conns, g)
	if !g.client.IsValid() {
		return
	}
	if b.clients[g.client]--; b.clients[g.client] == 0 {
		delete(b.clients, g.client)
	}
}

// poll looks after everybody who waits for an answer.
func (b *connSet) poll(context.Context, time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for g := range b.conns {
		g.poller.poll()
	}
	return nil
}
