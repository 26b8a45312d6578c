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
	onClose       func()
	readDeadline, writeDeadline deadline
	poller      disconnectPoller
	idle        idleness
}

func newTrackedConn(conn *net.TCPConn) *trackedConn {
	now := time.Now()
	return &trackedConn{
		TCPConn: conn, onClose: func() {}, poller: disconnectPoller{conn: conn, cancel: func() {}},
		readDeadline: deadline{apply: conn.SetReadDeadline, connectedAt: now}, writeDeadline: deadline{apply: conn.SetWriteDeadline, connectedAt: now},
	}
}

// connContext is a context for everything that this connection asks for. It ends when nobody waits for the answer any more.
func (g *trackedConn) connContext(ctx context.Context) context.Context {
	ctx, g.poller.cancel = context.WithCancel(ctx)
	return ctx
}

func (g *trackedConn) Close() error {
	defer g.onClose()
	g.poller.cancel()
	return g.TCPConn.Close()
}

// Read reads what a client sends. While a request is being worked on, net/http reads one byte more without a deadline, only
// to hear of a client that leaves: that is what a watch is for. Nothing else here is read without a deadline.
func (g *trackedConn) Read(b []byte) (int, error) {
	if len(b) == 1 && g.readDeadline.unset() {
		g.poller.start()
		return 0, nil
	}
	g.poller.stop()
	if err := g.readDeadline.start(); err != nil {
		return 0, err
	}
	defer g.readDeadline.finish()
	n, err := g.TCPConn.Read(b)
	if n > 0 {
		g.idle.stop()
	}
	return n, err
}

func (g *trackedConn) Write(b []byte) (int, error) {
	if err := g.writeDeadline.start(); err != nil {
		return 0, err
	}
	defer g.writeDeadline.finish()
	return g.TCPConn.Write(b)
}

func (g *trackedConn) SetDeadline(t time.Time) error {
	return errors.Join(g.readDeadline.set(t), g.writeDeadline.set(t))
}

func (g *trackedConn) SetReadDeadline(t time.Time) error { return g.readDeadline.set(t) }

func (g *trackedConn) SetWriteDeadline(t time.Time) error { return g.writeDeadline.set(t) }
