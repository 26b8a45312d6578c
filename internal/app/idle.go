package app

import (
	"cmp"
	"slices"
	"sync/atomic"
	"time"
)

// idleness records since when a connection waits for the first byte of a request, in nanoseconds; 0 while it does not wait.
type idleness struct{ since atomic.Int64 }

func (i *idleness) start() { i.since.Store(time.Now().UnixNano()) }

// stop is called for every read. Most reads find the connection not idle, and a load costs less than a store.
func (i *idleness) stop() {
	if i.since.Load() != 0 {
		i.since.Store(0)
	}
}

// idleSince returns since when the connection has had no request. A pipelined request needs no further byte to arrive, so the
// poller is asked, too.
func (c *trackedConn) idleSince() (since int64, idle bool) {
	since = c.idle.since.Load()
	return since, since != 0 && !c.poller.active()
}

// idleQueue lists the connections that have been idle longest. Scanning all connections for each new one would make a
// connection flood cheap for the attacker, so one scan finds many.
type idleQueue struct{ next []idleConn }

type idleConn struct {
	*trackedConn
	since int64
}

// idleBatch is how many idle connections one scan collects.
const idleBatch = 256

// closeOldest closes the connection that has been idle longest, if there is one.
func (q *idleQueue) closeOldest(s *connSet) bool {
	if len(q.next) == 0 {
		q.next = s.longestIdle(idleBatch)
	}
	for len(q.next) > 0 {
		c := q.next[0]
		q.next = q.next[1:]
		if since, idle := c.idleSince(); idle && since == c.since && !hasUnreadData(c.TCPConn) {
			_ = c.Close()
			return true
		}
	}
	return false
}

// longestIdle returns the connections that have been idle longest, the longest first.
func (s *connSet) longestIdle(limit int) []idleConn {
	s.mu.Lock()
	var all []idleConn
	for c := range s.conns {
		if since, idle := c.idleSince(); idle {
			all = append(all, idleConn{c, since})
		}
	}
	s.mu.Unlock()
	slices.SortFunc(all, func(x, y idleConn) int { return cmp.Compare(x.since, y.since) })
	return slices.Clone(all[:min(limit, len(all))])
}
