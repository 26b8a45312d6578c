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
	set   func(time.Time) error
	since time.Time // when the connection began

	mu     sync.Mutex
	wanted time.Time
	inUse  time.Time // what is set
	under  int       // how many reads or writes are under way
}

// put notes a deadline for what begins next. Only one that is over is set at once, where something is under way: that is how
// net/http ends it.
func (d *deadline) put(t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wanted = t
	if d.under == 0 || !d.over() {
		return nil
	}
	d.inUse = t
	return d.set(t)
}

// over says that the deadline is from before the connection: nothing may begin.
func (d *deadline) over() bool { return !d.wanted.IsZero() && !d.wanted.After(d.since) }

// none says that there is no deadline.
func (d *deadline) none() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.wanted.IsZero()
}

// slack is how much earlier a deadline may end than was asked for: where one that is nearly the same is in use, it stays.
const slack = time.Second

// begin sets what was put.
func (d *deadline) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over() {
		return os.ErrDeadlineExceeded
	}
	d.under++
	if more := d.wanted.Sub(d.inUse); more >= 0 && more < slack {
		return nil
	}
	d.inUse = d.wanted
	return d.set(d.wanted)
}

func (d *deadline) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.under--
}
