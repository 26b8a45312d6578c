package torture

import (
	"testing"
	"time"
)

// branch is one of the processes on a database, with clients of its own.
type branch struct {
	*service
	at   string
	told *tally
	load *load
}

// openBranches starts processes on one database.
func openBranches(t *testing.T, at string, n int, flags ...string) branches {
	t.Helper()
	all := make(branches, n)
	for i := range all {
		all[i] = &branch{service: serve(t, program, at, flags...), at: at, told: newTally()}
	}
	return all
}

// begin lets clients come, every other one with an idempotency key. They pause after each lead that was accepted.
func (b *branch) begin(pause time.Duration) {
	b.load = begin(b.t, &load{tally: b.told, url: b.URL, keyed: true, pause: pause, again: 30 * time.Millisecond})
}

// reopen starts the process again after it was killed.
func (b *branch) reopen() { b.service = serve(b.t, program, b.at) }

// branches are all processes on a database.
type branches []*branch

func (all branches) begin() { all.beginGently(0) }

func (all branches) beginGently(pause time.Duration) {
	for _, b := range all {
		b.begin(pause)
	}
}

func (all branches) stop() {
	for _, b := range all {
		b.load.stop()
	}
}

func (all branches) stopInOrder() {
	for _, b := range all {
		b.stopInOrder()
	}
}

func (all branches) kill() {
	for _, b := range all {
		b.Kill()
	}
}

// without are all but one.
func (all branches) without(one *branch) (others branches) {
	for _, b := range all {
		if b != one {
			others = append(others, b)
		}
	}
	return others
}

// untilRefused waits until each process has felt a fault.
func (all branches) untilRefused(t *testing.T) {
	t.Helper()
	for _, b := range all {
		untilRefused(t, b.service, b.told)
	}
}

// untilAccepted waits until each process takes leads again, and says how long the last took.
func (all branches) untilAccepted(t *testing.T) (healed time.Duration) {
	t.Helper()
	began := time.Now()
	for _, b := range all {
		healed = untilAcceptedSince(t, b.service, b.told, began)
	}
	return healed
}

// refusedAnybody says whether a process refused a lead since the last audit.
func (b *branch) refusedAnybody() bool {
	_, refused := b.told.counts()
	return refused > 0
}

// audit compares all that clients were told with the one database, after those with a key came again.
func (all branches) audit(t *testing.T, sum *outcome) {
	t.Helper()
	kept := leadsIn(t, all[0].at)
	for _, b := range all {
		sum.slowest = max(sum.slowest, b.told.slowest)
		sum.refused, sum.unanswered = sum.refused+len(b.told.refused), sum.unanswered+len(b.told.unanswered)
		came, known := comeBack(t, all[0].URL, b.told, kept)
		sum.came, sum.known = sum.came+came, sum.known+known
	}
	intact(t, all[0].at)
	sum.add(audit(t, all[0].at, all.tallies()...))
}

// tallies are what the clients of all processes were told.
func (all branches) tallies() (told []*tally) {
	for _, b := range all {
		told = append(told, b.told)
	}
	return told
}

// acknowledged is how many leads were accepted and have to be there.
func (all branches) acknowledged() (n int) {
	for _, b := range all {
		n += len(b.told.accepted)
	}
	return n
}
