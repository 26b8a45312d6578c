package app

import (
	"os"
	"sync"
	"time"
)

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
