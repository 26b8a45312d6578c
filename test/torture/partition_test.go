package torture

import (
	"math/rand/v2"
	"testing"
	"time"
)

// partition is a way for the wire to a PostgreSQL server to fail.
type partition struct {
	name  string
	begin func(w *wire)
	slow  bool // some leads get through
}

func partitions() []partition {
	both := func(how string, with map[string]int) func(*wire) {
		return func(w *wire) { w.spoil(questions, how, with); w.spoil(answers, how, with) }
	}
	return []partition{
		{name: "the wire is cut", begin: (*wire).cut},
		{name: "connections are reset", begin: both("reset_peer", map[string]int{"timeout": 0})},
		{name: "nothing gets through", begin: both("timeout", map[string]int{"timeout": 0})},
		{name: "nothing comes back", begin: func(w *wire) { w.spoil(answers, "timeout", map[string]int{"timeout": 0}) }},
		{name: "the wire drips", begin: both("bandwidth", map[string]int{"rate": 1}), slow: true},
	}
}

// TestPartitions spoils the wire of one process. Another one on the same database, with a wire of its own, does not notice.
func TestPartitions(t *testing.T) {
	t.Parallel()
	for _, x := range partitions() {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			for range choose(3, 1) {
				x.strike(t)
			}
		})
	}
}

func (x partition) strike(t *testing.T) {
	w, far, near := apart(t)
	all := branches{near, far}
	all.begin()
	all.untilAccepted(t)
	time.Sleep(300 * time.Millisecond)
	x.begin(w)
	began := time.Now()
	branches{far}.untilRefused(t)
	all.serveTheNumber(t)
	time.Sleep(500 * time.Millisecond) // a commit from before may still be on its way
	felt := time.Now()
	time.Sleep(choose(3*time.Second, 900*time.Millisecond))
	if !x.slow {
		branches{far}.wantUnwell(t, felt)
	}
	all.serveTheNumber(t)
	w.mend()
	healed := all.untilAccepted(t)
	time.Sleep(200 * time.Millisecond)
	all.stop()
	if near.refusedAnybody() || near.told.acceptedSince(began) == 0 {
		t.Errorf("the process beside it suffered: %d refused\n%s", len(near.told.refused), near.Remarks())
	}
	sum := outcome{healed: healed}
	if x.slow {
		sum.bound = slowRefusal
	}
	reckonAll(t, x.name, all, sum)
}

// apart starts a process behind a wire that can be spoiled, and one beside it on the same database.
func apart(t *testing.T, settings ...string) (w *wire, far, near *branch) {
	t.Helper()
	g := newGround(t, settings...)
	w = lay(t, g)
	near = openBranches(t, g.fresh(), 1)[0]
	far = openBranches(t, w.through(g.url), 1)[0]
	return w, far, near
}

// TestAnswersGetLost loses answers at random moments, also to commits that took effect. The service cannot know what was
// kept and says 503; the key knows.
func TestAnswersGetLost(t *testing.T) {
	t.Parallel()
	w, far, near := apart(t, "commit_delay=100000", "commit_siblings=0") // most of the time, a commit is under way
	rounds, sum, all := choose(20, 3), outcome{}, branches{near, far}
	for range rounds {
		far.begin(0)
		time.Sleep(50*time.Millisecond + rand.N(200*time.Millisecond))
		w.spoil(answers, "timeout", map[string]int{"timeout": 0})
		branches{far}.untilRefused(t)
		w.mend()
		sum.healed = max(sum.healed, branches{far}.untilAccepted(t))
		far.load.stop()
		all.audit(t, &sum) // a client that comes again finds another process
	}
	sum.acknowledged = all.acknowledged()
	all.stopInOrder()
	sum.judge(t)
	sum.judgeAnswers(t)
	if sum.known == 0 {
		t.Error("no answer to a commit was lost: the test proves nothing")
	}
	tell(t, "a lost answer is no second lead", "%d times, %v; healed within %v", rounds, sum, sum.healed.Round(time.Millisecond))
}

// TestALongWire is no fault: a tenth of a second to the database and back, and everything works.
func TestALongWire(t *testing.T) {
	t.Parallel()
	w, far, near := apart(t)
	w.spoil(answers, "latency", map[string]int{"latency": 100})
	far.begin(0)
	began := time.Now()
	time.Sleep(choose(10*time.Second, 2*time.Second))
	far.load.stop()
	took := time.Since(began)
	n := far.told.acceptedSince(began)
	if far.refusedAnybody() || n == 0 {
		t.Errorf("%d accepted, %d refused\n%s", n, len(far.told.refused), far.Remarks())
	}
	var sum outcome
	all := branches{far, near}
	all.audit(t, &sum)
	sum.acknowledged = all.acknowledged()
	sum.judge(t)
	all.stopInOrder()
	tell(t, "a database that is 100 ms away", "%s acknowledged in %v, %d lost, %d refused", thousands(n), took.Round(100*time.Millisecond), sum.lost, sum.refused)
}
