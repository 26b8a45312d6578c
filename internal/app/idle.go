package app

import (
	"cmp"
	"slices"
	"sync/atomic"
	"time"
)

// idleness is since when a connection waits for the first byte of a request, in nanoseconds; 0 while it does not.
type idleness struct{ since atomic.Int64 }

func (i *idleness) start() { i.since.Store(time.Now().UnixNano()) }

// stop is called for whatever arrives. Mostly it did not wait, and to look costs less than to write.
func (i *idleness) stop() {
	if i.since.Load() != 0 {
		i.since.Store(0)
	}
}

// idleSince is since when nothing is asked on a connection. A request that came together with the one before it needs no
// byte to arrive, so the watch is asked, too.
func (g *trackedConn) idleSince() (since int64, idle bool) {
	since = g.idle.since.Load()
	return since, since != 0 && !g.poller.active()
}

// idleQueue knows which connections were idle longest. To look through all for each new connection would be a gift to whoever
// floods us with them, so one look finds many.
type idleQueue struct{ next []idleConn }

type idleConn struct {
	*trackedConn
	since int64
}

// idleBatch is how many idle connections one look remembers.
const idleBatch = 256

// closeOldest closes the connection that was idle longest, if there is one.
func (q *idleQueue) closeOldest(b *connSet) bool {
	if len(q.next) == 0 {
		q.next = b.longestIdle(idleBatch)
	}
	for len(q.next) > 0 {
		g := q.next[0]
		q.next = q.next[1:]
		if since, idle := g.idleSince(); idle && since == g.since && !hasUnreadData(g.TCPConn) {
			_ = g.Close()
			return true
		}
	}
	return false
}

// longestIdle finds those who were idle longest, the longest first.
func (b *connSet) longestIdle(most int) []idleConn {
	b.mu.Lock()
	var all []idleConn
	for g := range b.conns {
		if since, idle := g.idleSince(); idle {
			all = append(all, idleConn{g, since})
		}
	}
	b.mu.Unlock()
	slices.SortFunc(all, func(x, y idleConn) int { return cmp.Compare(x.since, y.since) })
	return slices.Clone(all[:min(most, len(all))])
}
