package edge

import (
	"context"
	"sync/atomic"
	"time"
)

// Gate admits requests while they can be done in time. How many that is depends on the machine and its disk, so the gate learns
// it: by Little's law, the requests in flight divided by the requests done per second is how long the next one takes.
type Gate struct {
	MaxConcurrent int64         // never more in flight than this: each costs memory
	MinConcurrent int64         // this many are always admitted
	Within        time.Duration // an admitted request should be done within this
	Patience      time.Duration // how long a request may wait before it is refused

	inFlight   atomic.Int64
	done       atomic.Int64 // how many were done since the last sample
	rate       atomic.Int64 // how many were done per second, at the last sample
	lastSample atomic.Int64 // when the last sample was taken, in nanoseconds
}

// NewGate makes the gate of a service: an accepted request may take three tenths of a second at peak load, and a refused client
// learns it soon.
func NewGate() *Gate {
	g := &Gate{MaxConcurrent: 8192, MinConcurrent: 256, Within: 300 * time.Millisecond, Patience: 40 * time.Millisecond}
	g.rate.Store(initialRate)
	return g
}

// initialRate is the assumed rate per second before the first sample. A slow disk corrects it within a second.
const initialRate = 5000

// Enter reports whether one more request is admitted. If there is no capacity, it waits a little: refusing at once would only
// make clients that retry at once retry more often, and answering them would be all the server does.
func (g *Gate) Enter(ctx context.Context) bool { return g.EnterMore(ctx, 1) }

// EnterMore takes n further slots, all or none, for an admitted request that holds more than one unit of work.
func (g *Gate) EnterMore(ctx context.Context, n int64) bool {
	if g.tryEnter(n) {
		return true
	}
	patience := time.NewTimer(g.Patience)
	defer patience.Stop()
	select {
	case <-patience.C:
		return g.tryEnter(n)
	case <-ctx.Done():
		return false
	}
}

func (g *Gate) tryEnter(n int64) bool {
	if inFlight := g.inFlight.Add(n); inFlight <= g.capacity() {
		return true
	}
	g.inFlight.Add(-n)
	return false
}

// capacity returns how many requests may be in flight.
func (g *Gate) capacity() int64 {
	inTime := g.rate.Load() * int64(g.Within) / int64(time.Second)
	return min(g.MaxConcurrent, max(g.MinConcurrent, inTime))
}

// LeaveMore frees the slots of EnterMore. They do not count as work done: many small messages in one batch must not make the
// gate assume that every request is fast.
func (g *Gate) LeaveMore(n int64) { g.inFlight.Add(-n) }

// Leave marks one request as done. Every 100 milliseconds or so it samples the rate.
func (g *Gate) Leave() {
	g.inFlight.Add(-1)
	done, last, now := g.done.Add(1), g.lastSample.Load(), time.Now().UnixNano()
	const window = int64(100 * time.Millisecond)
	if now-last < window || !g.lastSample.CompareAndSwap(last, now) {
		return
	}
	g.done.Add(-done)
	if last == 0 || now-last > 10*window {
		return // the first sample, or one after a pause: it says nothing about the possible rate
	}
	g.updateRate(done * int64(time.Second) / (now - last))
}

// updateRate takes a sample of the rate. A lower one counts only if the gate is more than half full: otherwise there were just
// fewer requests. Even then one sample lowers the rate by an eighth at most, so that a disk stall does not erase what was
// learned.
func (g *Gate) updateRate(sample int64) {
	rate := g.rate.Load()
	if crowded := g.inFlight.Load() > g.capacity()/2; sample < rate && !crowded {
		return
	}
	g.rate.Store(max(sample, rate*7/8))
}
