package torture

import (
	"testing"
	"time"
)

// serviceProc is one of the processes on a database, with its own clients.
type serviceProc struct {
	*service
	dbURL string
	clock time.Duration // how far its clock is off
	told  *tally
	load  *load
}

// startProcs starts processes on one database.
func startProcs(t *testing.T, dbURL string, n int, flags ...string) serviceProcs {
	t.Helper()
	procs := make(serviceProcs, n)
	for i := range procs {
		procs[i] = startProc(t, dbURL, 0, flags...)
	}
	return procs
}

// startProc starts a process whose clock is that far off.
func startProc(t *testing.T, dbURL string, clock time.Duration, flags ...string) *serviceProc {
	t.Helper()
	return &serviceProc{service: serve(t, programWithClock(t, clock), dbURL, flags...), dbURL: dbURL, clock: clock, told: newTally()}
}

// startLoad starts clients, every other one with an idempotency key. They pause after each accepted lead.
func (p *serviceProc) startLoad(pause time.Duration) {
	p.load = startLoad(p.t, &load{tally: p.told, url: p.URL, keyed: true, pause: pause, retryAfter: 30 * time.Millisecond})
}

// restart starts the process again after it was killed.
func (p *serviceProc) restart() { p.service = serve(p.t, programWithClock(p.t, p.clock), p.dbURL) }

// serviceProcs are all processes on a database.
type serviceProcs []*serviceProc

func (procs serviceProcs) startLoad() { procs.startPacedLoad(0) }

func (procs serviceProcs) startPacedLoad(pause time.Duration) {
	for _, p := range procs {
		p.startLoad(pause)
	}
}

func (procs serviceProcs) stop() {
	for _, p := range procs {
		p.load.stop()
	}
}

func (procs serviceProcs) stopGracefully() {
	for _, p := range procs {
		p.stopGracefully()
	}
}

func (procs serviceProcs) kill() {
	for _, p := range procs {
		p.Kill()
	}
}

// without returns all but one.
func (procs serviceProcs) without(one *serviceProc) (others serviceProcs) {
	for _, p := range procs {
		if p != one {
			others = append(others, p)
		}
	}
	return others
}

// untilRefused waits until each process has refused a lead because of a fault.
func (procs serviceProcs) untilRefused(t *testing.T) {
	t.Helper()
	for _, p := range procs {
		untilRefused(t, p.service, p.told)
	}
}

// untilAccepted waits until each process accepts leads again, and returns how long the last one took.
func (procs serviceProcs) untilAccepted(t *testing.T) (recovered time.Duration) {
	t.Helper()
	began := time.Now()
	for _, p := range procs {
		recovered = untilAcceptedSince(t, p.service, p.told, began)
	}
	return recovered
}

// hasRefused reports whether a process has refused a lead since the last audit.
func (p *serviceProc) hasRefused() bool {
	_, refused := p.told.counts()
	return refused > 0
}

// audit compares what all clients were told with the one database, after those with a key have retried.
func (procs serviceProcs) audit(t *testing.T, sum *outcome) {
	t.Helper()
	kept := leadsIn(t, procs[0].dbURL)
	for _, p := range procs {
		sum.slowest = max(sum.slowest, p.told.slowest)
		sum.refused, sum.unanswered = sum.refused+len(p.told.refused), sum.unanswered+len(p.told.unanswered)
		came, known := retryWithKeys(t, procs[0].URL, p.told, kept)
		sum.came, sum.known = sum.came+came, sum.known+known
	}
	checkIntegrity(t, procs[0].dbURL)
	sum.add(audit(t, procs[0].dbURL, procs.tallies()...))
}

// tallies returns what the clients of all processes were told.
func (procs serviceProcs) tallies() (told []*tally) {
	for _, p := range procs {
		told = append(told, p.told)
	}
	return told
}

// acknowledged returns how many leads were accepted and must be stored.
func (procs serviceProcs) acknowledged() (n int) {
	for _, p := range procs {
		n += len(p.told.accepted)
	}
	return n
}
