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
	client  netip.Prefix // whose connection it is; zero if it is not counted
	onClose func()
	poller  disconnectPoller
	idle    idleness
}

func newTrackedConn(conn *net.TCPConn) *trackedConn {
	return &trackedConn{TCPConn: conn, onClose: func() {}, poller: disconnectPoller{conn: conn, cancel: func() {}}}
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
	if c.poller.replaces(b) {
		return 0, nil
	}
	n, err := c.TCPConn.Read(b)
	if n > 0 {
		c.idle.stop()
	}
	return n, err
}

func (c *trackedConn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

func (c *trackedConn) SetReadDeadline(t time.Time) error {
	c.poller.noDeadline.Store(t.IsZero())
	return c.TCPConn.SetReadDeadline(t)
}
