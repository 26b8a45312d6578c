package app

import (
	"errors"
	"net"
	"sync"
	"time"
)

// guest is a connection that gives its place back, and whose deadlines are set when they begin to matter.
type guest struct {
	*net.TCPConn
	leave       func()
	read, write deadline
}

func newGuest(conn *net.TCPConn, leave func()) *guest {
	now := time.Now()
	return &guest{
		TCPConn: conn, leave: leave,
		read: deadline{set: conn.SetReadDeadline, since: now}, write: deadline{set: conn.SetWriteDeadline, since: now},
	}
}

func (g *guest) Close() error {
	defer g.leave()
	return g.TCPConn.Close()
}

func (g *guest) Read(b []byte) (int, error) {
	if err := g.read.begin(); err != nil {
		return 0, err
	}
	return g.TCPConn.Read(b)
}

func (g *guest) Write(b []byte) (int, error) {
	if err := g.write.begin(); err != nil {
		return 0, err
	}
	return g.TCPConn.Write(b)
}

func (g *guest) SetDeadline(t time.Time) error { return errors.Join(g.read.put(t), g.write.put(t)) }

func (g *guest) SetReadDeadline(t time.Time) error { return g.read.put(t) }

func (g *guest) SetWriteDeadline(t time.Time) error { return g.write.put(t) }

// deadline bounds reading or writing. net/http moves both for every request, seven times and twice, mostly with nothing
// read or written in between; each move takes a lock, the clock and a timer of the runtime. This is made for net/http, whose
// deadlines are many seconds away or long over.
type deadline struct {
	set   func(time.Time) error
	since time.Time // when the connection began

	mu     sync.Mutex
	wanted time.Time
	waits  bool      // wanted is not set yet
	inUse  time.Time // what is set
}

// put notes a deadline for what begins next. One from before the connection is set at once: that is how net/http ends
// what is under way.
func (d *deadline) put(t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.wanted, d.waits = t, t.IsZero() || t.After(d.since); d.waits {
		return nil
	}
	d.inUse = t
	return d.set(t)
}

// slack is how much earlier a deadline may end than was asked for: where one that is nearly the same is in use, it stays.
const slack = time.Second

// begin sets what was put.
func (d *deadline) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.waits {
		return nil
	}
	d.waits = false
	if more := d.wanted.Sub(d.inUse); more >= 0 && more < slack {
		return nil
	}
	d.inUse = d.wanted
	return d.set(d.wanted)
}
