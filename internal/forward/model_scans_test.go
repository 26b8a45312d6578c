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

// scan is a scan of the leads held for a buyer, by one process. It runs in its own goroutine, which waits before each call to
// the store until the model lets it go on: so anything can happen between two of its transactions, and a seed still determines
// everything. One scan runs at a time.
type scan struct {
	p      *process
	id     string
	to     buyer.Buyer // as of the beginning of the scan
	begun  bool
	goOn   chan error // the result of the next call: nil lets it happen
	waits  chan bool  // true before a call, false at the end
	over   bool
	failed bool // one of its calls failed
	err    error
}

// scanContext is the context of a scan that waits for the model.
type scanContext struct {
	noPause
	scan *scan
}

type scanKey struct{}

func (c scanContext) Value(key any) any {
	if key == (scanKey{}) {
		return c.scan
	}
	return c.Context.Value(key)
}

// awaitStep blocks a scan until it may go on. Other callers do not wait.
func awaitStep(ctx context.Context) error {
	s, isScan := ctx.Value(scanKey{}).(*scan)
	if !isScan {
		return nil
	}
	s.waits <- true
	return <-s.goOn
}

// heldPage is how many held leads a scan reads at a time.
const heldPage = 2

// padHeld pads a page of held leads with leads that no buyer covers, up to limit: so the scan believes that there are more,
// and reads the next page.
func padHeld(held []buyer.Held, limit int) []buyer.Held {
	if len(held) < heldPage {
		return held
	}
	padded := make([]buyer.Held, limit)
	for i := copy(padded, held); i < limit; i++ {
		padded[i].Lead = held[len(held)-1].Lead
	}
	return padded
}

// wakeOnce lets a process start a scan for each buyer that may take leads again, unless it runs one already.
func (w *world) wakeOnce() { w.wake(w.pickProcess()) }

func (w *world) wake(p *process) {
	if !w.hasDueScan() {
		return
	}
	w.refresh(p)
	ids, err := p.BeginScans(w.t.Context())
	w.must(err)
	for _, id := range ids {
		s := &scan{p: p, id: id, goOn: make(chan error), waits: make(chan bool)}
		w.tally.count("a scan begins beside %d others", len(w.scans))
		w.scans = append(w.scans, s)
		go func() {
			s.err = p.Scan(scanContext{noPause{context.Background()}, s}, id)
			s.waits <- false
		}()
		s.over = !<-s.waits
	}
}

func (w *world) hasDueScan() bool { return !w.nextWake.IsZero() && !w.nextWake.After(w.now) }

func (w *world) hasScans() bool { return len(w.scans) > 0 }

// stepOneScan lets a scan make its next call.
func (w *world) stepOneScan() { w.stepScan(pick(w, "scan", w.scans)) }

// finishScans lets a process finish its scans.
func (w *world) finishScans(p *process) { w.stepScans(p, math.MaxInt) }

// stepScans lets each scan of a process make a number of calls.
func (w *world) stepScans(p *process, calls int) {
	for _, s := range slices.Clone(w.scans) {
		for n := 0; s.p == p && !s.over && n < calls; n++ {
			w.tick(time.Millisecond)
			w.stepScan(s)
		}
	}
}

// overtake suspends a scan until another process takes it over. The first one resumes and ends, and then the other process dies:
// a sequence that random actions seldom produce.
func (w *world) overtake() {
	s := pick(w, "scan", w.scans)
	w.tick(20 * time.Second)
	p := w.pickProcess()
	if p == s.p {
		return
	}
	if mb := w.buyer(s.id); !mb.removed {
		w.edit(mb) // the two scans are for different terms
		w.compare("an edit")
	}
	w.wake(p)
	w.stepScans(p, rapid.IntRange(1, 4).Draw(w.t, "calls"))
	for !s.over {
		w.stepScan(s)
	}
	w.tally.count("a scan is taken over")
	w.kill(p)
}

// stepScan lets a scan make its next call, and compares what that releases.
func (w *world) stepScan(s *scan) {
	w.t.Logf("the scan of %s for %s goes on", s.p.Owner, s.id)
	s.next(nil)
	if !s.failed {
		w.must(s.err)
	}
	if !s.begun {
		s.to, s.begun = w.currentBuyers()[s.id], true
	}
	w.activeScan = s
	w.compareScanned("a step of a scan")
	w.activeScan = nil
	w.removeEndedScans()
}

// next lets the next call of a scan happen, or fail.
func (s *scan) next(fails error) {
	s.goOn <- fails
	s.over = !<-s.waits
}

var errDead = errors.New("the process is dead")

// die ends a scan with its process.
func (s *scan) die() {
	for !s.over {
		s.next(errDead)
	}
}

// killScans ends the scans that meet a condition.
func (w *world) killScans(which func(*scan) bool) {
	for _, s := range w.scans {
		if which(s) {
			w.tally.count("a scan is interrupted")
			s.die()
		}
	}
	w.removeEndedScans()
}

func (w *world) removeEndedScans() {
	w.scans = slices.DeleteFunc(w.scans, func(s *scan) bool { return s.over })
}

// released records that a lead is queued again. The buyer of the scan must be one that can be asked: releasing a lead for
// nothing costs time, and the lead comes back.
func (w *world) released(l *modelLead) {
	w.tally.count("a lead is released")
	l.status, l.modelDelivery = lead.Received, modelDelivery{step: buyer.StepAsk, since: w.now, due: w.now, latest: w.now.Add(time.Millisecond)}
	if l.withheld != "" || l.entered && !l.byOperator && w.withholdMark(l) != "" {
		w.t.Fatalf("%s was released, but it is kept off the market: %s, %s", l.ID, l.withheld, w.withholdMark(l))
	}
	if !w.fits(w.activeScan.to, l) || !w.canAskNow(w.activeScan.to, l) {
		w.t.Fatalf("%s was released for %s, which cannot be asked", l.ID, w.activeScan.id)
	}
}
