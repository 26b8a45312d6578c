package torture

import (
	"math/rand/v2"
	"testing"
	"time"
)

// partition is a way for the connection to a PostgreSQL server to fail.
type partition struct {
	name  string
	begin func(px *proxy)
	slow  bool // some leads get through
}

func partitions() []partition {
	both := func(how string, with map[string]int) func(*proxy) {
		return func(px *proxy) { px.addToxic(questions, how, with); px.addToxic(answers, how, with) }
	}
	return []partition{
		{name: "the wire is cut", begin: (*proxy).cut},
		{name: "connections are reset", begin: both("reset_peer", map[string]int{"timeout": 0})},
		{name: "nothing gets through", begin: both("timeout", map[string]int{"timeout": 0})},
		{name: "nothing comes back", begin: func(px *proxy) { px.addToxic(answers, "timeout", map[string]int{"timeout": 0}) }},
		{name: "the wire drips", begin: both("bandwidth", map[string]int{"rate": 1}), slow: true},
	}
}

// TestPartitions breaks the connection of one process. Another process on the same database, with its own connection, does
// not notice.
func TestPartitions(t *testing.T) {
	t.Parallel()
	for _, part := range partitions() {
		t.Run(part.name, func(t *testing.T) {
			t.Parallel()
			for range choose(3, 1) {
				part.run(t)
			}
		})
	}
}

func (part partition) run(t *testing.T) {
	px, far, near := startPartitioned(t)
	procs := serviceProcs{near, far}
	procs.startLoad()
	procs.untilAccepted(t)
	time.Sleep(300 * time.Millisecond)
	part.begin(px)
	began := time.Now()
	serviceProcs{far}.untilRefused(t)
	procs.wantPlumbingNumber(t)
	time.Sleep(500 * time.Millisecond) // an earlier commit may still be in flight
	felt := time.Now()
	time.Sleep(choose(3*time.Second, 900*time.Millisecond))
	if !part.slow {
		serviceProcs{far}.wantUnhealthy(t, felt)
	}
	procs.wantPlumbingNumber(t)
	px.reset()
	recovered := procs.untilAccepted(t)
	time.Sleep(200 * time.Millisecond)
	procs.stop()
	if near.hasRefused() || near.told.acceptedSince(began) == 0 {
		t.Errorf("the process beside it suffered: %d refused\n%s", len(near.told.refused), near.Remarks())
	}
	sum := outcome{recovered: recovered}
	if part.slow {
		sum.bound = slowRefusal
	}
	checkOutcomeOfAll(t, part.name, procs, sum)
}

// startPartitioned starts a process behind a proxy, and one beside it on the same database.
func startPartitioned(t *testing.T, settings ...string) (px *proxy, far, near *serviceProc) {
	t.Helper()
	pg := newPGServer(t, settings...)
	px = newProxy(t, pg)
	near = startProcs(t, pg.newDatabase(), 1)[0]
	far = startProcs(t, px.databaseURL(pg.url), 1)[0]
	return px, far, near
}

// TestLostDatabaseAnswers loses answers at random moments, also to commits that took effect. The service cannot know what
// was stored and answers 503; a retry with the same key finds out.
func TestLostDatabaseAnswers(t *testing.T) {
	t.Parallel()
	px, far, near := startPartitioned(t, "commit_delay=100000", "commit_siblings=0") // most of the time, a commit is in progress
	rounds, sum, procs := choose(20, 3), outcome{}, serviceProcs{near, far}
	tried := 0
	for ; tried < rounds || sum.known == 0 && tried < 5*rounds; tried++ { // a slow machine may not be within a commit at any of a few moments
		far.startLoad(0)
		time.Sleep(50*time.Millisecond + rand.N(200*time.Millisecond))
		px.addToxic(answers, "timeout", map[string]int{"timeout": 0})
		serviceProcs{far}.untilRefused(t)
		px.reset()
		sum.recovered = max(sum.recovered, serviceProcs{far}.untilAccepted(t))
		far.load.stop()
		procs.audit(t, &sum) // a client that retries reaches another process
	}
	sum.acknowledged = procs.acknowledged()
	procs.stopGracefully()
	sum.judge(t)
	sum.judgeAnswers(t)
	if sum.known == 0 {
		t.Error("no answer to a commit was lost: the test proves nothing")
	}
	report(t, "a lost answer is no second lead", "%d times, %v; healed within %v", tried, sum, sum.recovered.Round(time.Millisecond))
}

// TestSlowNetwork is no fault: the round trip to the database takes a tenth of a second, and everything works.
func TestSlowNetwork(t *testing.T) {
	t.Parallel()
	px, far, near := startPartitioned(t)
	px.addToxic(answers, "latency", map[string]int{"latency": 100})
	far.startLoad(0)
	began := time.Now()
	time.Sleep(choose(10*time.Second, 2*time.Second))
	far.load.stop()
	took := time.Since(began)
	n := far.told.acceptedSince(began)
	if far.hasRefused() || n == 0 {
		t.Errorf("%d accepted, %d refused\n%s", n, len(far.told.refused), far.Remarks())
	}
	var sum outcome
	procs := serviceProcs{far, near}
	procs.audit(t, &sum)
	sum.acknowledged = procs.acknowledged()
	sum.judge(t)
	procs.stopGracefully()
	report(t, "a database that is 100 ms away", "%s acknowledged in %v, %d lost, %d refused", thousands(n), took.Round(100*time.Millisecond), sum.lost, sum.refused)
}
