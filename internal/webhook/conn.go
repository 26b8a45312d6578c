package webhook

import (
	"bufio"
	"io"
	"net"
	"sync/atomic"
)

// conn is a connection to a buyer that tells what net/http does not: whether anything of a request left.
//
// It also keeps net/http from what it would write into the standard log: the bytes that a server sends when it was not
// asked. A buyer who answers 204 with a body, an echo of the lead perhaps, would be enough. So an answer is handed over
// byte by byte, never more than the reader is looking for, and between two requests nothing at all.
type conn struct {
	net.Conn          // TLS where the address has https
	raw      net.Conn // what is below
	in       *bufio.Reader

	// Requests have turns. A connection has one at a time; the first is 1.
	exchange atomic.Int64 // of the request that has the connection
	asked    atomic.Int64 // the last that began to be written
	left     atomic.Int64 // the last of which a byte was written
	answered atomic.Int64 // the last that is over
}

func newConn(over, raw net.Conn) *conn {
	return &conn{Conn: over, raw: raw, in: bufio.NewReader(over)}
}

// Write notes whose turn it is. Where it fails with nothing written, nothing can have arrived: of a TLS record in pieces
// the other side can read nothing.
func (c *conn) Write(p []byte) (int, error) {
	turn := c.exchange.Load()
	c.asked.Store(turn)
	n, err := c.Conn.Write(p)
	if n > 0 {
		c.left.Store(turn)
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
	if c.asked.Load() <= c.answered.Load() { // it speaks out of turn: nobody knows what the next answer would belong to
		return 0, io.EOF
	}
	p[0] = b
	return 1, nil
}

// Close ends the connection without the farewell of TLS, for which a buyer who reads nothing could make us wait.
func (c *conn) Close() error { return c.raw.Close() }
