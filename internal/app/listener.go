package app

import (
	"net"
	"sync"
)

// bounded is a listener with a number of places: a flood of connections must not use up the database's file descriptors.
// Its connections can still be half closed, which a refusal needs in order to arrive: closing a connection on which the
// client is still sending resets it, and the answer may be lost.
type bounded struct {
	*net.TCPListener
	guestbook
	places chan struct{}
	closed chan struct{}
	close  func() error
}

func newBounded(l *net.TCPListener, most int) *bounded {
	b := &bounded{
		TCPListener: l, guestbook: guestbook{guests: make(map[*guest]struct{})},
		places: make(chan struct{}, most), closed: make(chan struct{}),
	}
	b.close = sync.OnceValue(func() error { close(b.closed); return l.Close() })
	return b
}

// Accept waits for a place, and then for a connection.
func (b *bounded) Accept() (net.Conn, error) {
	select {
	case b.places <- struct{}{}:
	case <-b.closed:
		return nil, net.ErrClosed
	}
	conn, err := b.AcceptTCP()
	if err != nil {
		<-b.places
		return nil, err
	}
	return b.welcome(conn), nil
}

func (b *bounded) welcome(conn *net.TCPConn) *guest {
	g := newGuest(conn)
	g.leave = sync.OnceFunc(func() {
		b.guestbook.leave(g)
		<-b.places
	})
	b.enter(g)
	return g
}

// Close also ends an Accept that waits for a place.
func (b *bounded) Close() error { return b.close() }
