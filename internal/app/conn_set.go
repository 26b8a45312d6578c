package app

import (
	"context"
	"net/netip"
	"sync"
	"time"
)

// connSet holds every open connection, and how many of them each client has.
type connSet struct {
	perClient int // the most connections that one client may have
	mu        sync.Mutex
	conns     map[*trackedConn]struct{}
	clients   map[netip.Prefix]int
}

func newConnSet(perClient int) connSet {
	return connSet{perClient: perClient, conns: make(map[*trackedConn]struct{}), clients: make(map[netip.Prefix]int)}
}

// add adds a connection, unless its client already has the most it may have.
func (s *connSet) add(c *trackedConn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.client.IsValid() {
		if s.clients[c.client] >= s.perClient {
			return false
		}
		s.clients[c.client]++
	}
	s.conns[c] = struct{}{}
	return true
}

func (s *connSet) remove(c *trackedConn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	if !c.client.IsValid() {
		return
	}
	if s.clients[c.client]--; s.clients[c.client] == 0 {
		delete(s.clients, c.client)
	}
}

// poll checks every connection for a client that disconnected while it waits for a response.
func (s *connSet) poll(context.Context, time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.poller.poll()
	}
	return nil
}
