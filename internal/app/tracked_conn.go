package app

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"time"
)

// trackedConn is an open connection of the listener. Closing it frees its slot.
type trackedConn struct {
	*net.TCPConn
	client                      netip.Prefix // whose connection it is; zero if it is not counted
	onClose                     func()
	setIdle                     func(bool) // tells the listener whether the connection waits for a request
	readDeadline, writeDeadline deadline
	poller                      disconnectPoller
}

func newTrackedConn(conn *net.TCPConn) *trackedConn {
	now := time.Now()
	return &trackedConn{
		TCPConn: conn, onClose: func() {}, setIdle: func(bool) {}, poller: disconnectPoller{conn: conn, cancel: func() {}},
		readDeadline:  deadline{apply: conn.SetReadDeadline, connectedAt: now},
		writeDeadline: deadline{apply: conn.SetWriteDeadline, connectedAt: now},
	}
}

// connContext returns the context of all requests on the connection. It ends when the client no longer waits for the response.
func (c *trackedConn) connContext(ctx context.Context) context.Context {
	ctx, c.poller.cancel = context.WithCancel(ctx)
	return ctx
}

func (c *trackedConn) Close() error {
	defer c.onClose()
	c.poller.cancel()
	return c.TCPConn.Close()
}

func (c *trackedConn) Read(b []byte) (int, error) {
	if c.poller.replaces(b, c.readDeadline.unset()) {
		return 0, nil
	}
	if err := c.readDeadline.start(); err != nil {
		return 0, err
	}
	defer c.readDeadline.finish()
	n, err := c.TCPConn.Read(b)
	if n > 0 {
		c.setIdle(false)
	}
	return n, err
}

func (c *trackedConn) Write(b []byte) (int, error) {
	if err := c.writeDeadline.start(); err != nil {
		return 0, err
	}
	defer c.writeDeadline.finish()
	return c.TCPConn.Write(b)
}

func (c *trackedConn) SetDeadline(t time.Time) error {
	return errors.Join(c.readDeadline.set(t), c.writeDeadline.set(t))
}

func (c *trackedConn) SetReadDeadline(t time.Time) error { return c.readDeadline.set(t) }

func (c *trackedConn) SetWriteDeadline(t time.Time) error { return c.writeDeadline.set(t) }
