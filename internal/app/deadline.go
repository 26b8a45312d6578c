package app

import (
	"os"
	"sync"
	"time"
)

// deadline bounds reading or writing. net/http moves both for every request, up to seven times and twice, mostly with nothing
// read or written in between; each move takes a lock, the clock and a timer of the runtime. This is made for net/http, whose
// deadlines are many seconds away or long over.
type deadline struct {
	apply   func(time.Time) error
	connectedAt time.Time // when the connection began

	mu     sync.Mutex
	wanted time.Time
	applied  time.Time // what is set
	active  int       // how many reads or writes are under way
}

// set notes a deadline for what begins next. Only one that is over is set at once, where something is under way: that is how
// net/http ends it.
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

// expired says that the deadline is from before the connection: nothing may begin.
func (d *deadline) expired() bool { return !d.wanted.IsZero() && !d.wanted.After(d.connectedAt) }

// unset says that there is no deadline.
func (d *deadline) unset() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.wanted.IsZero()
}

// deadlineSlack is how much earlier a deadline may end than was asked for: where one that is nearly the same is in use, it stays.
const deadlineSlack = time.Second

// start sets what was put.
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
