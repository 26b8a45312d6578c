package forward_test

import (
	"errors"
	"slices"
	"time"

	"pgregory.net/rapid"

	"foyer/internal/lead"
)

// crash ends a process, and starts another in its place. What it had taken ends with it; but an answer that it had got
// may still be written down: it did not die, it slept.
func (w *world) crash() {
	p := w.somebody()
	for _, f := range slices.Clone(w.flights) {
		if f.p == p && (f.said == nil || rapid.Bool().Draw(w.t, "dead")) {
			w.forget(f)
		}
	}
	w.endWalks(func(k *scanBatch) bool { return k.p == p && rapid.Bool().Draw(w.t, "dead") })
	w.replace(p)
}

// failAmid has a process fail that has written all of a transaction but its end: nothing of it may be there. It goes on
// with other things, or dies of it.
func (w *world) failAmid() {
	p, before := w.somebody(), w.ids
	p.fate = pick(w, "fate", []fate{stumbles, dies})
	if err := pick(w, "amid", w.failures(p))(); err == nil {
		w.t.Fatal("a process that failed before its commit was told that all is well")
	}
	w.seen.count("a process %s before its commit", p.fate)
	w.ids = before
	if p.fate == dies {
		w.kill(p)
	}
	p.fate = lives
}

// kill ends a process and all that it does, and starts another in its place.
func (w *world) kill(p *process) {
	w.flights = slices.DeleteFunc(w.flights, func(f *flight) bool { return f.p == p })
	w.endWalks(func(k *scanBatch) bool { return k.p == p })
	w.replace(p)
}

// failures are in the middle of what a process can fail.
func (w *world) failures(p *process) []func() error {
	list := []func() error{func() error {
		w.tick(time.Millisecond)
		_, err := p.Take(w.t.Context(), pick(w, "lane", append(w.lanes(), "")), 64)
		if p.fate != dies { // it may have read the buyers on the way
			w.refresh(p)
		}
		return err
	}}
	for _, f := range w.flights {
		if f.p == p && f.said != nil {
			list = append(list, func() error {
				_, err := p.Settle(w.t.Context(), f.task, f.said.reply)
				w.drop(f)
				return err
			})
		}
	}
	for _, k := range w.walks {
		if k.p == p { // it goes on, as far as it can; where it only reads, it does not even notice
			list = append(list, func() error {
				k.failed = true
				k.next(nil)
				w.endOver()
				return errStumbled
			})
		}
	}
	if w.followable() {
		list = append(list, func() error { return p.Follow(w.t.Context()) })
	}
	return list
}

// fate is what happens to a process before a commit.
type fate string

const (
	lives    fate = ""
	stumbles fate = "stumbles"
	dies     fate = "dies"
)

var errStumbled = errors.New("the process stumbled")

// meets has a process meet its fate. Where it has connections of its own, nobody tells it: it finds out by itself.
func (w *world) meets(p *process) error {
	switch {
	case p.fate == lives:
		return nil
	case p.fate == dies && w.houses != nil:
		return w.houses.cut(p.st)
	}
	return errStumbled
}

// replace starts a process in the place of another. Where that one only sleeps, its connections stay.
func (w *world) replace(p *process) {
	if slices.ContainsFunc(w.flights, func(f *flight) bool { return f.p == p }) || slices.ContainsFunc(w.walks, func(k *scanBatch) bool { return k.p == p }) {
		w.seen.count("a process sleeps")
	} else if w.houses != nil {
		w.houses.moveOut(w, p.st)
	}
	w.processes[slices.Index(w.processes, p)] = w.process()
}

// leave has the next processes go on with what these have of the engine.
func (w *world) leave() {
	if w.houses != nil {
		w.houses.leave(w.processes)
	}
}

// restart ends all processes. The first that is back is alone on the database, and takes back what the others had.
func (w *world) restart() {
	w.seen.count("all processes end")
	w.flights = nil
	w.endWalks(func(*scanBatch) bool { return true })
	if w.houses != nil {
		w.houses.moveAllOut(w)
	}
	for i := range w.processes {
		w.processes[i] = w.process()
	}
	w.must(w.processes[0].st.ReleaseLeases(w.t.Context(), w.now))
	for _, l := range w.leads {
		if l.status == lead.Received && l.leased && l.due.After(w.now) {
			l.isDue(w.now)
		}
	}
}

// forget ends a flight that never gives its slot back.
func (w *world) forget(f *flight) {
	w.flights = slices.DeleteFunc(w.flights, func(x *flight) bool { return x == f })
}

func (w *world) refreshOne() { w.refresh(w.somebody()) }

// busy begins and ends a time in which the intake needs the machine.
func (w *world) busy() {
	p := w.somebody()
	p.hurried = !p.hurried
}

func (w *world) wait() {
	w.tick(pick(w, "by", []time.Duration{time.Second, 3 * time.Second, 10 * time.Second, 46 * time.Second, 2 * time.Minute}))
}

func (w *world) waitLong() {
	w.tick(pick(w, "by", []time.Duration{10 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour, 8 * 24 * time.Hour, 31 * 24 * time.Hour}))
}
