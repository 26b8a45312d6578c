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

	inside  atomic.Int64
	left    atomic.Int64 // how many left since the last count
	pace    atomic.Int64 // how many left in a second, at the last count
	changed atomic.Int64 // when the last count was, in nanoseconds
}

// NewGate makes the gate of a service: three tenths of a second is what an accepted request may take when everybody comes at
// once, and a client that is refused knows it soon.
func NewGate() *Gate {
	g := &Gate{MaxConcurrent: 8192, MinConcurrent: 256, Within: 300 * time.Millisecond, Patience: 40 * time.Millisecond}
	g.pace.Store(initialPace)
	return g
}

// initialPace is how many leave in a second before anybody has counted. A slow disk corrects it within a second.
const initialPace = 5000

// Enter says whether one more may come in. One for whom there is no room waits a little: to refuse at once would only make
// those who ask again at once ask more often, and answering them would be all the work there is.
func (g *Gate) Enter(ctx context.Context) bool { return g.EnterMore(ctx, 1) }

// EnterMore takes further places, all or none, for somebody inside who brings more work than one.
func (g *Gate) EnterMore(ctx context.Context, n int64) bool {
	if g.try(n) {
		return true
	}
	patience := time.NewTimer(g.Patience)
	defer patience.Stop()
	select {
	case <-patience.C:
		return g.try(n)
	case <-ctx.Done():
		return false
	}
}

func (g *Gate) try(n int64) bool {
	if inside := g.inside.Add(n); inside <= g.room() {
		return true
	}
	g.inside.Add(-n)
	return false
}

// room is how many may be inside.
func (g *Gate) room() int64 {
	inTime := g.pace.Load() * int64(g.Within) / int64(time.Second)
	return min(g.MaxConcurrent, max(g.MinConcurrent, inTime))
}

// LeaveMore gives further places back. They do not count as work that was done: many small messages in one batch must not
// make the gate believe that everything goes fast.
func (g *Gate) LeaveMore(n int64) { g.inside.Add(-n) }

// Leave says that one is done. Now and then it counts how fast they leave.
func (g *Gate) Leave() {
	g.inside.Add(-1)
	left, turn, now := g.left.Add(1), g.changed.Load(), time.Now().UnixNano()
	const window = int64(100 * time.Millisecond)
	if now-turn < window || !g.changed.CompareAndSwap(turn, now) {
		return
	}
	g.left.Add(-left)
	if turn == 0 || now-turn > 10*window {
		return // the first count, or one after a rest: it says nothing about how fast it could go
	}
	g.learn(left * int64(time.Second) / (now - turn))
}

// learn takes a count of how many left in a second. Fewer than before mean something only where the gate was crowded:
// otherwise fewer came, and that is all. Even then a stall of the disk does not make it forget at once.
func (g *Gate) learn(fresh int64) {
	known := g.pace.Load()
	if crowded := g.inside.Load() > g.room()/2; fresh < known && !crowded {
		return
	}
	g.pace.Store(max(fresh, known*7/8))
}
