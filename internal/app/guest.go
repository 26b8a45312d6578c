package app

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"time"
)

// guest is a connection as net/http uses it, at less cost: it gives its place back, its deadlines are set when they begin to
// matter, and its client is watched only while an answer takes long.
type guest struct {
	*net.TCPConn
	client      netip.Prefix // whose it is, where that is counted
	leave       func()
	read, write deadline
	watch       watch
	idle        idleness
}

func newGuest(conn *net.TCPConn) *guest {
	now := time.Now()
	return &guest{
		TCPConn: conn, leave: func() {}, watch: watch{conn: conn, left: func() {}},
		read: deadline{set: conn.SetReadDeadline, since: now}, write: deadline{set: conn.SetWriteDeadline, since: now},
	}
}

// during is a context for everything that this connection asks for. It ends when nobody waits for the answer any more.
func (g *guest) during(ctx context.Context) context.Context {
	ctx, g.watch.left = context.WithCancel(ctx)
	return ctx
}

func (g *guest) Close() error {
	defer g.leave()
	g.watch.left()
	return g.TCPConn.Close()
}

// Read reads what a client sends. While a request is being worked on, net/http reads one byte more without a deadline, only
// to hear of a client that leaves: that is what a watch is for. Nothing else here is read without a deadline.
func (g *guest) Read(b []byte) (int, error) {
	if len(b) == 1 && g.read.none() {
		g.watch.begin()
		return 0, nil
	}
	g.watch.end()
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

func (g *guest) Write(b []byte) (int, error) {
	if err := g.write.begin(); err != nil {
		return 0, err
	}
	defer g.write.end()
	return g.TCPConn.Write(b)
}

func (g *guest) SetDeadline(t time.Time) error { return errors.Join(g.read.put(t), g.write.put(t)) }

func (g *guest) SetReadDeadline(t time.Time) error { return g.read.put(t) }

func (g *guest) SetWriteDeadline(t time.Time) error { return g.write.put(t) }
