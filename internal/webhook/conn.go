package webhook

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http/httptrace"
	"sync/atomic"
)

// conn is a connection to a buyer that also records what net/http does not report: whether any byte of a request was
// sent.
//
// It also keeps net/http from logging unsolicited bytes from a server to the standard log. A buyer that answers 204
// with a body, perhaps an echo of the lead, would be enough. So Read returns one byte at a time, never more than the
// caller needs, and nothing at all between two requests.
type conn struct {
	net.Conn          // a TLS connection if the address is https
	raw      net.Conn // the connection below TLS
	in       *bufio.Reader

	// Exchanges are numbered from 1. A connection has one at a time.
	current  atomic.Int64 // the exchange that has the connection
	started  atomic.Int64 // the last exchange whose request began to be written
	sent     atomic.Int64 // the last exchange of which a byte was written
	answered atomic.Int64 // the last exchange that has ended
}

func newConn(over, raw net.Conn) *conn {
	return &conn{Conn: over, raw: raw, in: bufio.NewReader(over)}
}

// Write records which exchange it belongs to. If it fails with nothing written, nothing can have arrived: the buyer
// cannot decrypt part of a TLS record.
func (c *conn) Write(p []byte) (int, error) {
	number := c.current.Load()
	c.started.Store(number)
	n, err := c.Conn.Write(p)
	if n > 0 {
		c.sent.Store(number)
	}
	return n, err
}

func (c *conn) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	b, err := c.in.ReadByte()
	if err != nil {
		return 0, err
	}
	if c.started.Load() <= c.answered.Load() { // unsolicited bytes: the next response could not be matched to its request
		return 0, io.EOF
	}
	p[0] = b
	return 1, nil
}

// Close skips the TLS close_notify, because a buyer that does not read could make us wait.
func (c *conn) Close() error { return c.raw.Close() }

// exchange is one request and its response on a connection.
type exchange struct {
	conn   *conn // nil until net/http has a connection
	number int64
	reused bool
}

// withTrace returns a context in which net/http tells the exchange which connection it got.
func (ex *exchange) withTrace(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) {
			ex.conn, ex.reused = info.Conn.(*conn), info.Reused
			ex.number = ex.conn.current.Add(1)
		},
		// By now the next request may have the connection, which is why exchanges are numbered.
		PutIdleConn: func(error) { ex.conn.answered.Store(ex.number) },
	})
}

// sent reports whether any byte may have been sent. Once RoundTrip returns an error, net/http is done writing.
func (ex *exchange) sent() bool { return ex.conn != nil && ex.conn.sent.Load() == ex.number }

// stale reports whether a reused connection was closed before anything was written to it. The buyer's idle timeout is
// not a failure: the message can use another connection.
func (ex *exchange) stale() bool { return ex.reused && !ex.sent() }
