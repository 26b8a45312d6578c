package forward_test

import (
	"errors"
	"slices"
	"time"

	"pgregory.net/rapid"

	"foyer/internal/lead"
)

// crash kills a process and starts another in its place. Its flights are lost, except that an answer it already had may still
// be recorded: then the process did not die, it was only suspended.
func (w *world) crash() {
	p := w.pickProcess()
	for _, f := range slices.Clone(w.flights) {
		if f.p == p && (f.answer == nil || rapid.Bool().Draw(w.t, "dead")) {
			w.forgetFlight(f)
		}
	}
	w.killScans(func(s *scan) bool { return s.p == p && rapid.Bool().Draw(w.t, "dead") })
	w.replace(p)
}

// failDuringTx makes a transaction of a process fail right before its commit: nothing of it may be stored. The process goes on
// or crashes.
func (w *world) failDuringTx() {
	p, before := w.pickProcess(), w.ids
	p.failure = pick(w, "fate", []failureMode{failsCommit, crashes})
	if err := pick(w, "amid", w.failurePoints(p))(); err == nil {
		w.t.Fatal("a process that failed before its commit got no error")
	}
	w.tally.count("a process %s before its commit", p.failure)
	w.ids = before
	if p.failure == crashes {
		w.kill(p)
	}
	p.failure = noFailure
}

// kill ends a process with all its flights and scans, and starts another in its place.
func (w *world) kill(p *process) {
	w.flights = slices.DeleteFunc(w.flights, func(f *flight) bool { return f.p == p })
	w.killScans(func(s *scan) bool { return s.p == p })
	w.replace(p)
}

// failurePoints lists the operations of a process that can fail.
func (w *world) failurePoints(p *process) []func() error {
	list := []func() error{func() error {
		w.tick(time.Millisecond)
		_, err := p.ClaimDue(w.t.Context(), pick(w, "queue", append(w.queues(), "")), 64)
		if p.failure != crashes { // it may have refreshed the buyers
			w.refresh(p)
		}
		return err
	}}
	for _, f := range w.flights {
		if f.p == p && f.answer != nil {
			list = append(list, func() error {
				_, err := p.Settle(w.t.Context(), f.task, f.answer.reply)
				w.endFlight(f)
				return err
			})
		}
	}
	for _, s := range w.scans {
		if s.p == p { // the scan goes on as far as it can; if it only reads, it does not notice
			list = append(list, func() error {
				s.failed = true
				s.next(nil)
				w.removeEndedScans()
				return errCommitFailed
			})
		}
	}
	if w.hasRepeats() {
		list = append(list, func() error { return p.CheckRepeats(w.t.Context()) })
	}
	return list
}

// failureMode is what happens to a process before a commit.
type failureMode string

const (
	noFailure   failureMode = ""
	failsCommit failureMode = "stumbles"
	crashes     failureMode = "dies"
)

var errCommitFailed = errors.New("the process stumbled")

// commitError injects the failure of a process. A process with its own connections gets no error: its connections are cut.
func (w *world) commitError(p *process) error {
	switch {
	case p.failure == noFailure:
		return nil
	case p.failure == crashes && w.stores != nil:
		return w.stores.endTx(p.st)
	}
	return errCommitFailed
}

// replace starts a process in place of another. If that one is only suspended, its connections stay.
func (w *world) replace(p *process) {
	if slices.ContainsFunc(w.flights, func(f *flight) bool { return f.p == p }) || slices.ContainsFunc(w.scans, func(s *scan) bool { return s.p == p }) {
		w.tally.count("a process sleeps")
	} else if w.stores != nil {
		w.stores.keep(p.st)
	}
	w.processes[slices.Index(w.processes, p)] = w.process()
}

// keepStores leaves the stores of all processes to the next ones.
func (w *world) keepStores() {
	if w.stores != nil {
		w.stores.keepAll(w)
	}
}

// endAll ends all processes, so that the first one to come back finds that it is alone.
func (w *world) endAll() {
	if w.stores != nil {
		w.stores.endAll(w)
	}
	w.restart()
}

// restart ends all processes. The first one to come back releases the leases of the others.
func (w *world) restart() {
	w.tally.count("all processes end")
	w.flights = nil
	w.killScans(func(*scan) bool { return true })
	if w.stores != nil {
		w.stores.killAll(w)
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

// forgetFlight removes a flight without releasing its slot.
func (w *world) forgetFlight(f *flight) {
	w.flights = slices.DeleteFunc(w.flights, func(x *flight) bool { return x == f })
}

func (w *world) refreshOne() { w.refresh(w.pickProcess()) }

func (w *world) wait() {
	w.tick(pick(w, "by", []time.Duration{time.Second, 3 * time.Second, 10 * time.Second, 46 * time.Second, 2 * time.Minute}))
}

func (w *world) waitLong() {
	w.tick(pick(w, "by", []time.Duration{10 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour, 8 * 24 * time.Hour, 31 * 24 * time.Hour}))
}
