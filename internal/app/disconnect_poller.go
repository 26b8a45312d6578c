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
	cancel context.CancelFunc // tells whoever works for the client
	seq atomic.Uint64      // odd while the client is worked for; it goes on with each request that is waited for
	lastSeq uint64             // the turn at the last round
}

// pollInterval is the time between two rounds. Who leaves is noticed after one to two of them.
const pollInterval = 250 * time.Millisecond

// start says that the client is worked for. As net/http does it, begin and end come one after the other.
func (w *disconnectPoller) start() {
	if turn := w.seq.Load(); turn%2 == 0 {
		w.seq.Store(turn + 1)
	}
}

// stop says that it is not.
func (w *disconnectPoller) stop() {
	if turn := w.seq.Load(); turn%2 == 1 {
		w.seq.Store(turn + 1)
	}
}

// active says that the client is worked for.
func (w *disconnectPoller) active() bool { return w.seq.Load()%2 == 1 }

// poll is one round. It is slow only where the same request was under way at the round before.
func (w *disconnectPoller) poll() {
	turn := w.seq.Load()
	if turn%2 == 1 && turn == w.lastSeq && peerClosed(w.conn) {
		w.cancel()
	}
	w.lastSeq = turn
}

// peerClosed says that a client has closed its side, or was cut off. What it has sent meanwhile stays where it is.
func peerClosed(conn *net.TCPConn) bool {
	n, failed := peek(conn)
	quiet := failed == syscall.EAGAIN || failed == syscall.EINTR
	return !quiet && (failed != nil || n == 0)
}

// hasUnreadData says that a client has sent something that nobody has read.
func hasUnreadData(conn *net.TCPConn) bool {
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
