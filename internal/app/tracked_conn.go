package app

import (
	"context"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// This file is here for speed alone: see deadline and disconnectPoller.

// deadline is here for speed alone: a read or write deadline that is set on the connection only when a read or write starts. For
// every request net/http moves the read deadline up to seven times and the write deadline twice, mostly with nothing read or written
// in between; each move takes a lock, the clock and a runtime timer. Without it GET /v1/services takes 1.08 times the CPU (100
// interleaved rounds, November 2026). To delete it: drop Write and the Set methods of trackedConn, and remember there only whether
// the read deadline is zero. It is made for net/http, whose deadlines are many seconds away or long past: TestReadIsInterrupted and
// TestHeaderOfAnyLengthIsAnswered fail when that changes.
type deadline struct {
	apply       func(time.Time) error
	connectedAt time.Time

	mu      sync.Mutex
	wanted  time.Time
	applied time.Time // what is set on the connection
	active  int       // how many reads or writes are in progress
}

// set stores a deadline for the next read or write. It applies the deadline at once only if it has passed and a read or write
// is in progress: that is how net/http interrupts one.
func (d *deadline) set(t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wanted = t
	if d.active == 0 || !d.expired() {
		return nil
	}
	d.applied = t
	return d.apply(t)
}

// expired reports whether the deadline is from before the connection: no read or write may start.
func (d *deadline) expired() bool { return !d.wanted.IsZero() && !d.wanted.After(d.connectedAt) }

// unset reports whether there is no deadline.
func (d *deadline) unset() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.wanted.IsZero()
}

// deadlineSlack is how much earlier than requested a deadline may expire: one that is nearly the same as the requested one
// stays in place.
const deadlineSlack = time.Second

// start applies the stored deadline before a read or write.
func (d *deadline) start() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.expired() {
		return os.ErrDeadlineExceeded
	}
	d.active++
	if more := d.wanted.Sub(d.applied); more >= 0 && more < deadlineSlack {
		return nil
	}
	d.applied = d.wanted
	return d.apply(d.wanted)
}

func (d *deadline) finish() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.active--
}

// disconnectPoller is here for speed alone: it detects a client that disconnects while its request is handled. net/http does so
// at once, with a goroutine that reads one byte, and that it has to interrupt before every response. That takes 1.07 to 1.09 times
// the CPU of an intake (120 and 150 interleaved rounds, November 2026). Most responses are sent before any client could disconnect,
// so a client is checked only if the same request spans two polls.
//
// To delete it, with poll in limitListener and its job: let trackedConn.Read pass every read on, leave the context to net/http, and
// have the handler mark that a request is in progress, which closeLongestIdle asks. TestReadsOfNetHTTP fails when net/http changes how it reads.
type disconnectPoller struct {
	conn    *net.TCPConn
	cancel  context.CancelFunc // cancels the requests of the connection
	seq     atomic.Uint64      // odd while a request is handled; increases with each request that is polled for
	lastSeq uint64             // seq at the last poll
}

// replaces reports whether a read is net/http's check for a disconnect: one byte, without a deadline, while a request is handled. No
// other read has no deadline. The poller does that check instead, so the read returns at once, with nothing.
func (p *disconnectPoller) replaces(b []byte, noDeadline bool) bool {
	if noDeadline && len(b) == 1 {
		p.start()
		return true
	}
	p.stop()
	return false
}

// pollInterval is the time between two polls. A disconnect is detected after one to two intervals.
const pollInterval = 250 * time.Millisecond

// start marks the beginning of a request. net/http never calls start and stop concurrently.
func (p *disconnectPoller) start() {
	if seq := p.seq.Load(); seq%2 == 0 {
		p.seq.Store(seq + 1)
	}
}

// stop marks the end of a request.
func (p *disconnectPoller) stop() {
	if seq := p.seq.Load(); seq%2 == 1 {
		p.seq.Store(seq + 1)
	}
}

// active reports whether a request is being handled.
func (p *disconnectPoller) active() bool { return p.seq.Load()%2 == 1 }

// poll checks the client once. It makes a system call only if the same request was in progress at the poll before.
func (p *disconnectPoller) poll() {
	seq := p.seq.Load()
	if seq%2 == 1 && seq == p.lastSeq && peerClosed(p.conn) {
		p.cancel()
	}
	p.lastSeq = seq
}

// peerClosed reports whether the client has closed its side, or was cut off. It leaves unread what the client sent meanwhile.
func peerClosed(conn *net.TCPConn) bool {
	n, err := peek(conn)
	quiet := err == syscall.EAGAIN || err == syscall.EINTR
	return !quiet && (err != nil || n == 0)
}

// hasUnreadData reports whether the client has sent something that has not been read.
func hasUnreadData(conn *net.TCPConn) bool {
	n, err := peek(conn)
	return err == nil && n > 0
}

// peek looks for a byte from the client without consuming it. It fails if there is none, or if the connection is closed.
func peek(conn *net.TCPConn) (n int, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, err
	}
	var recvErr error
	err = raw.Control(func(fd uintptr) {
		n, _, recvErr = syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	})
	if err != nil {
		return 0, err
	}
	return n, recvErr
}
