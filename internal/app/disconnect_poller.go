package app

import (
	"context"
	"net"
	"sync/atomic"
	"syscall"
	"time"
)

// disconnectPoller notices a client that leaves while it is worked for. net/http would do so at once, with a read in the background
// that is called back before every answer, which costs a fourteenth of an intake. Most answers are on their way before anybody
// could have left, so here a client is looked after only once it has waited from one round to the next.
type disconnectPoller struct {
	conn *net.TCPConn
	left context.CancelFunc // tells whoever works for the client
	turn atomic.Uint64      // odd while the client is worked for; it goes on with each request that is waited for
	seen uint64             // the turn at the last round
}

// pollInterval is the time between two rounds. Who leaves is noticed after one to two of them.
const pollInterval = 250 * time.Millisecond

// begin says that the client is worked for. As net/http does it, begin and end come one after the other.
func (w *disconnectPoller) begin() {
	if turn := w.turn.Load(); turn%2 == 0 {
		w.turn.Store(turn + 1)
	}
}

// end says that it is not.
func (w *disconnectPoller) end() {
	if turn := w.turn.Load(); turn%2 == 1 {
		w.turn.Store(turn + 1)
	}
}

// working says that the client is worked for.
func (w *disconnectPoller) working() bool { return w.turn.Load()%2 == 1 }

// look is one round. It is slow only where the same request was under way at the round before.
func (w *disconnectPoller) look() {
	turn := w.turn.Load()
	if turn%2 == 1 && turn == w.seen && gone(w.conn) {
		w.left()
	}
	w.seen = turn
}

// gone says that a client has closed its side, or was cut off. What it has sent meanwhile stays where it is.
func gone(conn *net.TCPConn) bool {
	n, failed := peek(conn)
	quiet := failed == syscall.EAGAIN || failed == syscall.EINTR
	return !quiet && (failed != nil || n == 0)
}

// arriving says that a client has sent something that nobody has read.
func arriving(conn *net.TCPConn) bool {
	n, failed := peek(conn)
	return failed == nil && n > 0
}

// peek looks at what a client has sent, and leaves it there. It fails where there is nothing, or the connection is closed.
func peek(conn *net.TCPConn) (n int, failed error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, err
	}
	err = raw.Control(func(fd uintptr) {
		n, _, failed = syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	})
	if err != nil {
		return 0, err
	}
	return n, failed
}
