package edge

import (
	"context"
	"sync/atomic"
	"time"
)

// Gate lets work in while it can be done in time. How much that is depends on the machine and its disk, so it is learned:
// by Little's law, what is inside divided by what leaves in a second is how long the next one takes.
type Gate struct {
	MaxConcurrent int64         // never more inside than this: each costs memory
	MinConcurrent int64         // this many are always let in
	Within        time.Duration // what is let in should be done within this
	Patience      time.Duration // how long one may wait at the gate before it is refused

	inFlight  atomic.Int64
	done    atomic.Int64 // how many left since the last count
	rate    atomic.Int64 // how many left in a second, at the last count
	lastSample atomic.Int64 // when the last count was, in nanoseconds
}

// NewGate makes the gate of a service: three tenths of a second is what an accepted request may take when everybody comes at
// once, and a client that is refused knows it soon.
func NewGate() *Gate {
	g := &Gate{MaxConcurrent: 8192, MinConcurrent: 256, Within: 300 * time.Millisecond, Patience: 40 * time.Millisecond}
	g.rate.Store(initialRate)
	return g
}

// initialRate is how many leave in a second before anybody has counted. A slow disk corrects it within a second.
const initialRate = 5000

// Enter says whether one more may come in. One for whom there is no room waits a little: to refuse at once would only make
// those who ask again at once ask more often, and answering them would be all the work there is.
func (g *Gate) Enter(ctx context.Context) bool { return g.EnterMore(ctx, 1) }

// EnterMore takes further places, all or none, for somebody inside who brings more work than one.
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
	if inside := g.inFlight.Add(n); inside <= g.capacity() {
		return true
	}
	g.inFlight.Add(-n)
	return false
}

// capacity is how many may be inside.
func (g *Gate) capacity() int64 {
	inTime := g.rate.Load() * int64(g.Within) / int64(time.Second)
	return min(g.MaxConcurrent, max(g.MinConcurrent, inTime))
}

// LeaveMore gives further places back. They do not count as work that was done: many small messages in one batch must not
// make the gate believe that everything goes fast.
func (g *Gate) LeaveMore(n int64) { g.inFlight.Add(-n) }

// Leave says that one is done. Now and then it counts how fast they leave.
func (g *Gate) Leave() {
	g.inFlight.Add(-1)
	left, turn, now := g.done.Add(1), g.lastSample.Load(), time.Now().UnixNano()
	const window = int64(100 * time.Millisecond)
	if now-turn < window || !g.lastSample.CompareAndSwap(turn, now) {
		return
	}
	g.done.Add(-left)
	if turn == 0 || now-turn > 10*window {
		return // the first count, or one after a rest: it says nothing about how fast it could go
	}
	g.updateRate(left * int64(time.Second) / (now - turn))
}

// updateRate takes a count of how many left in a second. Fewer than before mean something only where the gate was crowded:
// otherwise fewer came, and that is all. Even then a stall of the disk does not make it forget at once.
func (g *Gate) updateRate(fresh int64) {
	known := g.rate.Load()
	if crowded := g.inFlight.Load() > g.capacity()/2; fresh < known && !crowded {
		return
	}
	g.rate.Store(max(fresh, known*7/8))
}
