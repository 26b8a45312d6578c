package app

import (
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"foyer/internal/limit"
)

// limitListener limits the number of open connections: a flood of connections must not use up the database's file descriptors.
// One client may have a quarter of the slots. When all are taken, the connection that has been idle longest is closed.
// Its connections can still be half closed, which a refusal needs in order to arrive: closing a connection on which the
// client is still sending resets it, and the response may be lost.
type limitListener struct {
	*net.TCPListener
	connSet
	slots     chan struct{}
	closed    chan struct{}
	close     func() error
	clientOf  func(net.Addr) netip.Prefix // whose connection it is; the zero prefix if it is not counted
	onRefused func(closed int)            // gets, at most once a minute, how many were closed because their client had its share
	idle      idleQueue
	refused   refusals
}

func newLimitListener(tcp *net.TCPListener, slots int, clientOf func(net.Addr) netip.Prefix, onRefused func(closed int)) *limitListener {
	l := &limitListener{
		TCPListener: tcp, connSet: newConnSet(maxPerClient(slots)), slots: make(chan struct{}, slots), closed: make(chan struct{}),
		clientOf: clientOf, onRefused: onRefused,
	}
	l.close = sync.OnceValue(func() error { close(l.closed); return tcp.Close() })
	return l
}

// maxPerClient is how many slots one client may have.
func maxPerClient(slots int) int { return max(1, slots/4) }

// countedClients returns a function that names the client of a connection. Connections from trusted proxies, exempt networks
// and this machine are not counted, because each of those may stand for many people.
func countedClients(uncounted ...netip.Prefix) func(net.Addr) netip.Prefix {
	return func(remote net.Addr) netip.Prefix {
		peer, known := remote.(*net.TCPAddr)
		if !known {
			return netip.Prefix{}
		}
		address := peer.AddrPort().Addr().Unmap().WithZone("")
		if address.IsLoopback() || slices.ContainsFunc(uncounted, func(n netip.Prefix) bool { return n.Contains(address) }) {
			return netip.Prefix{}
		}
		return limit.Of(address)
	}
}

// Accept waits for a connection, and then for a slot. It closes a connection whose client has its share.
func (l *limitListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.AcceptTCP()
		if err != nil {
			return nil, err
		}
		c := newTrackedConn(conn)
		c.client = l.clientOf(conn.RemoteAddr())
		if !l.add(c) {
			l.refuse(conn, time.Now())
			continue
		}
		if err := l.acquire(); err != nil {
			l.connSet.remove(c)
			_ = conn.Close()
			return nil, err
		}
		c.onClose = sync.OnceFunc(func() {
			l.connSet.remove(c)
			<-l.slots
		})
		c.idle.start() // not before acquire, which would close this connection to make room for it
		return c, nil
	}
}

// idleRetryInterval is how often acquire looks for an idle connection while there is none and no connection closes.
const idleRetryInterval = 20 * time.Millisecond

// acquire takes a slot, if need be by closing an idle connection. If none is idle, it waits.
func (l *limitListener) acquire() error {
	for {
		select {
		case l.slots <- struct{}{}:
			return nil
		default:
		}
		if l.idle.closeOldest(&l.connSet) {
			continue
		}
		select {
		case l.slots <- struct{}{}:
			return nil
		case <-l.closed:
			return net.ErrClosed
		case <-time.After(idleRetryInterval):
		}
	}
}

// refusals counts the connections closed since the last call of onRefused.
type refusals struct {
	closed   int
	loggedAt time.Time
}

// refuse closes a connection whose client has its share. Under a flood it reports once a minute.
func (l *limitListener) refuse(conn *net.TCPConn, now time.Time) {
	_ = conn.Close()
	l.refused.closed++
	if now.Sub(l.refused.loggedAt) >= time.Minute {
		l.onRefused(l.refused.closed)
		l.refused = refusals{loggedAt: now}
	}
}

// Close also ends an Accept that waits for a slot.
func (l *limitListener) Close() error { return l.close() }
