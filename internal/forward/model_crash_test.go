package forward_test

import (
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
	w.processes[slices.Index(w.processes, p)] = w.process()
}

// restart ends all processes. The first that is back is alone on the database, and takes back what the others had.
func (w *world) restart() {
	w.flights = nil
	w.must(w.st.TakeBack(w.t.Context(), w.now))
	for _, l := range w.leads {
		if l.status == lead.Received && l.leased && l.due.After(w.now) {
			l.leased = false
			l.isDue(w.now)
		}
	}
	for i := range w.processes {
		w.processes[i] = w.process()
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

func (w *world) wakeOne() { w.wake(w.somebody()) }
