package app

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"time"
)

// trackedConn is a connection as net/http uses it, at less cost: it gives its place back, its deadlines are set when they begin to
// matter, and its client is watched only while an answer takes long.
type trackedConn struct {
	*net.TCPConn
	client      netip.Prefix // whose it is, where that is counted
	leave       func()
	read, write deadline
	poller      disconnectPoller
	idle        idleness
}

func newTrackedConn(conn *net.TCPConn) *trackedConn {
	now := time.Now()
	return &trackedConn{
		TCPConn: conn, leave: func() {}, poller: disconnectPoller{conn: conn, left: func() {}},
		read: deadline{set: conn.SetReadDeadline, since: now}, write: deadline{set: conn.SetWriteDeadline, since: now},
	}
}

// during is a context for everything that this connection asks for. It ends when nobody waits for the answer any more.
func (g *trackedConn) during(ctx context.Context) context.Context {
	ctx, g.poller.left = context.WithCancel(ctx)
	return ctx
}

func (g *trackedConn) Close() error {
	defer g.leave()
	g.poller.left()
	return g.TCPConn.Close()
}

// Read reads what a client sends. While a request is being worked on, net/http reads one byte more without a deadline, only
// to hear of a client that leaves: that is what a watch is for. Nothing else here is read without a deadline.
func (g *trackedConn) Read(b []byte) (int, error) {
	if len(b) == 1 && g.read.none() {
		g.poller.begin()
		return 0, nil
	}
	g.poller.end()
	if err := g.read.begin(); err != nil {
		return 0, err
	}
	defer g.read.end()
	n, err := g.TCPConn.Read(b)
	if n > 0 {
		g.idle.end()
	}
	return n, err
}

func (g *trackedConn) Write(b []byte) (int, error) {
	if err := g.write.begin(); err != nil {
		return 0, err
	}
	defer g.write.end()
	return g.TCPConn.Write(b)
}

func (g *trackedConn) SetDeadline(t time.Time) error {
	return errors.Join(g.read.put(t), g.write.put(t))
}

func (g *trackedConn) SetReadDeadline(t time.Time) error { return g.read.put(t) }

func (g *trackedConn) SetWriteDeadline(t time.Time) error { return g.write.put(t) }
