package webhook

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http/httptrace"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// conn is a connection to a buyer that also records what net/http does not report: whether any byte of a request was
// sent.
//
// It also keeps bytes that arrive before a request from being taken for the answer to that request. A buyer that answers
// 204 with a body, or that answers twice, would be enough. net/http starts to read the next answer as soon as the last one
// has ended. Here that waits for the next request, and Write writes none if anything has arrived. Read returns one byte at
// a time, never more than the caller needs, so that net/http has nothing of the next answer in its buffer. Nor does it log
// what arrived, which may be an echo of the lead. What arrives after a request was written is its answer: HTTP/1.1 has
// nothing else to tell them apart.
type conn struct {
	net.Conn          // a TLS connection if the address is https
	raw      net.Conn // the connection below TLS
	in       *bufio.Reader
	next     chan int64    // from Write to a Read that waits: the exchange whose request comes, or none
	closed   chan struct{} // ends such a Read
	close    func() error

	// Exchanges are numbered from 1. A connection has one at a time.
	current  atomic.Int64 // the exchange that has the connection
	started  atomic.Int64 // the last exchange whose request began to be written
	sent     atomic.Int64 // the last exchange of which a byte was written
	reading  int64        // the exchange whose answer is read, from the second; only for Read
	answered int64        // the last exchange that has ended; only for net/http's goroutine that reads
}

// none is what Read hears of when no request will be written.
const none = 0

func newConn(over, raw net.Conn) *conn {
	c := &conn{Conn: over, raw: raw, in: bufio.NewReader(over), next: make(chan int64), closed: make(chan struct{})}
	c.close = sync.OnceValue(func() error {
		close(c.closed)
		return raw.Close() // without the TLS close_notify, because a buyer that does not read could make us wait
	})
	return c
}

// errNotIdle says that a connection can take no request.
var errNotIdle = errors.New("the connection was closed, or bytes arrived before the request")

// Write records which exchange it belongs to. If it fails with nothing written, nothing can have arrived: the buyer
// cannot decrypt part of a TLS record.
func (c *conn) Write(p []byte) (int, error) {
	number := c.current.Load()
	if last := c.started.Load(); last < number {
		if last > 0 && !c.reuse(number) {
			return 0, errNotIdle
		}
		c.started.Store(number)
	}
	n, err := c.Conn.Write(p)
	if n > 0 {
		c.sent.Store(number)
	}
	return n, err
}

// reuse reports whether the connection can take the next request, and tells Read. It first waits until net/http reads again: before
// that, an error of this exchange could end the one whose answer net/http is about to return.
func (c *conn) reuse(number int64) bool {
	if !c.tell(number) {
		return false
	}
	if !c.isIdle() {
		c.tell(none)
		return false
	}
	return c.tell(number)
}

// tell gives a number to awaitRequest. It fails if the connection is closed.
func (c *conn) tell(number int64) bool {
	select {
	case c.next <- number:
		return true
	case <-c.closed:
		return false
	}
}

// awaitRequest waits for both numbers that reuse tells: that a request is coming, and whether it will be written.
func (c *conn) awaitRequest() error {
	for range 2 {
		select {
		case c.reading = <-c.next:
		case <-c.closed:
			return net.ErrClosed
		}
	}
	if c.reading == none {
		return io.EOF
	}
	return nil
}

// isIdle reports whether the connection is open and nothing has arrived since the last answer. No Read is in progress. Session
// tickets of TLS, which are no answer, arrived before the first answer.
func (c *conn) isIdle() bool {
	_ = c.Conn.SetReadDeadline(time.Unix(1, 0)) // in the past: only what was received earlier is read, also by TLS
	_, err := c.in.Peek(1)
	_ = c.Conn.SetReadDeadline(time.Time{})
	return errors.Is(err, os.ErrDeadlineExceeded) && nothingToRead(c.raw)
}

// nothingToRead reports whether the operating system has neither bytes of an open connection nor its end.
func nothingToRead(raw net.Conn) bool {
	socket, err := raw.(syscall.Conn).SyscallConn()
	if err != nil {
		return false
	}
	var peekErr error
	err = socket.Control(func(fd uintptr) {
		_, _, peekErr = syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	})
	return err == nil && errors.Is(peekErr, syscall.EAGAIN)
}

// Read returns bytes of the answer to the request that was written last. After an answer it waits for the next request.
func (c *conn) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if c.answered > 0 && c.reading <= c.answered {
		if err := c.awaitRequest(); err != nil {
			return 0, err
		}
	}
	b, err := c.in.ReadByte()
	if err != nil {
		return 0, err
	}
	if c.started.Load() == 0 { // the buyer speaks before it is asked: a new connection is read at once, for TLS and to see it closed
		return 0, io.EOF
	}
	p[0] = b
	return 1, nil
}

func (c *conn) Close() error { return c.close() }

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
		PutIdleConn: func(error) { ex.conn.answered = ex.number },
	})
}

// sent reports whether any byte may have been sent. Once RoundTrip returns an error, net/http is done writing.
func (ex *exchange) sent() bool { return ex.conn != nil && ex.conn.sent.Load() == ex.number }

// stale reports whether a reused connection was of no use any more, and nothing was written to it. The buyer's idle timeout is
// not a failure: the message can use another connection.
func (ex *exchange) stale() bool { return ex.reused && !ex.sent() }
