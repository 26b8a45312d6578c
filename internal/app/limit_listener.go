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
	client func(net.Addr) netip.Prefix // whose connection it is, or the zero prefix where that is not counted
	full   func(closed int)            // is told, now and then, how many were closed because their client had its share
	idle   idleQueue
	over   refusals
}

func newLimitListener(l *net.TCPListener, most int, client func(net.Addr) netip.Prefix, full func(closed int)) *limitListener {
	b := &limitListener{
		TCPListener: l, connSet: newConnSet(share(most)), slots: make(chan struct{}, most), closed: make(chan struct{}),
		client: client, full: full,
	}
	b.close = sync.OnceValue(func() error { close(b.closed); return l.Close() })
	return b
}

// share is how many places one client may have.
func share(most int) int { return max(1, most/4) }

// Accept waits for a connection, and then for a place. One that comes while its client has its share is closed.
func (b *limitListener) Accept() (net.Conn, error) {
	for {
		conn, err := b.AcceptTCP()
		if err != nil {
			return nil, err
		}
		g := newTrackedConn(conn)
		g.client = b.client(conn.RemoteAddr())
		if !b.add(g) {
			b.refuse(conn, time.Now())
			continue
		}
		if err := b.acquire(); err != nil {
			b.connSet.remove(g)
			_ = conn.Close()
			return nil, err
		}
		g.leave = sync.OnceFunc(func() {
			b.connSet.remove(g)
			<-b.slots
		})
		g.idle.begin() // not before: it must not make room for itself
		return g, nil
	}
}

// lookAgain is how long it takes to look again for an idle connection, while there is none and nobody leaves.
const lookAgain = 20 * time.Millisecond

// acquire takes a place, if need be that of an idle connection. Where nobody is idle it waits.
func (b *limitListener) acquire() error {
	for {
		select {
		case b.slots <- struct{}{}:
			return nil
		default:
		}
		if b.idle.closeLongest(&b.connSet) {
			continue
		}
		select {
		case b.slots <- struct{}{}:
			return nil
		case <-b.closed:
			return net.ErrClosed
		case <-time.After(lookAgain):
		}
	}
}

// refusals are the connections that were closed since that was told last.
type refusals struct {
	closed int
	told   time.Time
}

// refuse closes a connection whose client has its share. Under a flood there is one line a minute about it.
func (b *limitListener) refuse(conn *net.TCPConn, now time.Time) {
	_ = conn.Close()
	b.over.closed++
	if now.Sub(b.over.told) >= time.Minute {
		b.full(b.over.closed)
		b.over = refusals{told: now}
	}
}

// Close also ends an Accept that waits for a place.
func (b *limitListener) Close() error { return b.close() }
