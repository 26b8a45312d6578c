package forward_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"pgregory.net/rapid"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// scanBatch is a process that looks through what is held for a buyer. It runs in a goroutine of its own, which waits before each
// call to the books until the model lets it go on: so anything can happen between two of its transactions, and a seed
// still says all. One of them runs at a time.
type scanBatch struct {
	p      *process
	id     string
	to     buyer.Buyer // as it was when the walk began
	begun  bool
	goOn   chan error // what the next call comes to: nil lets it happen
	waits  chan bool  // true before a call, false at the end
	over   bool
	failed bool // one of its calls came to nothing
	err    error
}

// pace is the context of a walk that waits for the model.
type pace struct {
	hurry
	walk *scanBatch
}

type walkKey struct{}

func (c pace) Value(key any) any {
	if key == (walkKey{}) {
		return c.walk
	}
	return c.Context.Value(key)
}

// await has a walk wait until it may go on. Whatever is no walk need not wait.
func await(ctx context.Context) error {
	k, walking := ctx.Value(walkKey{}).(*scanBatch)
	if !walking {
		return nil
	}
	k.waits <- true
	return <-k.goOn
}

// page is how many held leads a walk gets to see at a time.
const page = 2

// short is a page of held leads of which only a few are real. The others are nobody's business: a walk believes that there
// are as many as it asked for, and comes back for the next ones.
func short(held []buyer.Held, limit int) []buyer.Held {
	if len(held) < page {
		return held
	}
	last := held[len(held)-1].Lead
	for len(held) < limit {
		held = append(held, buyer.Held{Lead: last})
	}
	return held
}

// wakeOne lets a process begin a walk for each buyer that may take leads again, unless it is on one already.
func (w *world) wakeOne() { w.wake(w.somebody()) }

func (w *world) wake(p *process) {
	if !w.alarmed() {
		return
	}
	w.refresh(p)
	ids, err := p.BeginWalks(w.t.Context())
	w.must(err)
	for _, id := range ids {
		k := &scanBatch{p: p, id: id, goOn: make(chan error), waits: make(chan bool)}
		w.seen.count("a walk begins beside %d others", len(w.walks))
		w.walks = append(w.walks, k)
		go func() {
			k.err = p.Walk(pace{hurry{context.Background()}, k}, id)
			k.waits <- false
		}()
		k.over = !<-k.waits
	}
}

func (w *world) alarmed() bool { return !w.alarm.IsZero() && !w.alarm.After(w.now) }

func (w *world) walking() bool { return len(w.walks) > 0 }

// walkOn lets a walk make its next call.
func (w *world) walkOn() { w.proceed(pick(w, "walk", w.walks)) }

// walkAll lets a process end its walks.
func (w *world) walkAll(p *process) { w.walkSome(p, math.MaxInt) }

// walkSome lets each walk of a process make a number of calls.
func (w *world) walkSome(p *process, calls int) {
	for _, k := range slices.Clone(w.walks) {
		for n := 0; k.p == p && !k.over && n < calls; n++ {
			w.tick(time.Millisecond)
			w.proceed(k)
		}
	}
}

// overtake has a walk sleep until another process takes it over. It wakes up and ends, and then the other process dies: a row of
// things that chance alone seldom brings about.
func (w *world) overtake() {
	k := pick(w, "walk", w.walks)
	w.tick(20 * time.Second)
	p := w.somebody()
	if p == k.p {
		return
	}
	if x := w.party(k.id); !x.removed {
		w.edit(x) // what the one walks for is not what the other does
		w.compare("an edit")
	}
	w.wake(p)
	w.walkSome(p, rapid.IntRange(1, 4).Draw(w.t, "calls"))
	for !k.over {
		w.proceed(k)
	}
	w.seen.count("a walk is taken over")
	w.kill(p)
}

// proceed lets a walk make its next call, and sees what that releases.
func (w *world) proceed(k *scanBatch) {
	w.t.Logf("the walk of %s for %s goes on", k.p.Owner, k.id)
	k.next(nil)
	if !k.failed {
		w.must(k.err)
	}
	if !k.begun {
		k.to, k.begun = w.roster()[k.id], true
	}
	w.walker = k
	w.compare("a step of a walk")
	w.walker = nil
	w.endOver()
}

// next has the next call of a walk happen, or fail.
func (k *scanBatch) next(fails error) {
	k.goOn <- fails
	k.over = !<-k.waits
}

var errDead = errors.New("the process is dead")

// die ends a walk with its process.
func (k *scanBatch) die() {
	for !k.over {
		k.next(errDead)
	}
}

// endWalks has walks die that a condition holds for.
func (w *world) endWalks(which func(*scanBatch) bool) {
	for _, k := range w.walks {
		if which(k) {
			w.seen.count("a walk is interrupted")
			k.die()
		}
	}
	w.endOver()
}

func (w *world) endOver() {
	w.walks = slices.DeleteFunc(w.walks, func(k *scanBatch) bool { return k.over })
}

// released notes that a lead is on its way again. The buyer that the walk is for must be one that can be asked: what is put
// on its way for nothing costs, and comes back.
func (w *world) released(l *request) {
	w.seen.count("a lead is released")
	l.status, l.errand = lead.Received, errand{step: buyer.StepAsk, since: w.now, due: w.now, latest: w.now.Add(time.Millisecond)}
	if l.withheld != "" || l.entered && !l.freed && w.keptOff(l) != "" {
		w.t.Fatalf("%s was released, but it is kept off the market: %s, %s", l.ID, l.withheld, w.keptOff(l))
	}
	if !w.suits(w.walker.to, l) || !w.isFree(w.walker.to, l) {
		w.t.Fatalf("%s was released for %s, which cannot be asked", l.ID, w.walker.id)
	}
}
