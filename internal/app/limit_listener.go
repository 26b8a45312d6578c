package app

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// limitListener is a listener with a number of places: a flood of connections must not use up the database's file descriptors.
// One client may have a quarter of them. When all are taken, the connection that was idle longest makes room.
// Its connections can still be half closed, which a refusal needs in order to arrive: closing a connection on which the
// client is still sending resets it, and the answer may be lost.
type limitListener struct {
	*net.TCPListener
	connSet
	slots  chan struct{}
	closed chan struct{}
	close  func() error
	clientOf func(net.Addr) netip.Prefix // whose connection it is, or the zero prefix where that is not counted
	onRefused   func(closed int)            // is told, now and then, how many were closed because their client had its share
	idle   idleQueue
	refused   refusals
}

func newLimitListener(l *net.TCPListener, most int, client func(net.Addr) netip.Prefix, full func(closed int)) *limitListener {
	b := &limitListener{
		TCPListener: l, connSet: newConnSet(maxPerClient(most)), slots: make(chan struct{}, most), closed: make(chan struct{}),
		clientOf: client, onRefused: full,
	}
	b.close = sync.OnceValue(func() error { close(b.closed); return l.Close() })
	return b
}

// maxPerClient is how many places one client may have.
func maxPerClient(most int) int { return max(1, most/4) }

// Accept waits for a connection, and then for a place. One that comes while its client has its share is closed.
func (b *limitListener) Accept() (net.Conn, error) {
	for {
		conn, err := b.AcceptTCP()
		if err != nil {
			return nil, err
		}
		g := newTrackedConn(conn)
		g.client = b.clientOf(conn.RemoteAddr())
		if !b.add(g) {
			b.refuse(conn, time.Now())
			continue
		}
		if err := b.acquire(); err != nil {
			b.connSet.remove(g)
			_ = conn.Close()
			return nil, err
		}
		g.onClose = sync.OnceFunc(func() {
			b.connSet.remove(g)
			<-b.slots
		})
		g.idle.start() // not before: it must not make room for itself
		return g, nil
	}
}

// idleRetryInterval is how long it takes to look again for an idle connection, while there is none and nobody leaves.
const idleRetryInterval = 20 * time.Millisecond

// acquire takes a place, if need be that of an idle connection. Where nobody is idle it waits.
func (b *limitListener) acquire() error {
	for {
		select {
		case b.slots <- struct{}{}:
			return nil
		default:
		}
		if b.idle.closeOldest(&b.connSet) {
			continue
		}
		select {
		case b.slots <- struct{}{}:
			return nil
		case <-b.closed:
			return net.ErrClosed
		case <-time.After(idleRetryInterval):
		}
	}
}

// refusals are the connections that were closed since that was told last.
type refusals struct {
	closed int
	loggedAt   time.Time
}

// refuse closes a connection whose client has its share. Under a flood there is one line a minute about it.
func (b *limitListener) refuse(conn *net.TCPConn, now time.Time) {
	_ = conn.Close()
	b.refused.closed++
	if now.Sub(b.refused.loggedAt) >= time.Minute {
		b.onRefused(b.refused.closed)
		b.refused = refusals{loggedAt: now}
	}
}

// Close also ends an Accept that waits for a place.
func (b *limitListener) Close() error { return b.close() }
