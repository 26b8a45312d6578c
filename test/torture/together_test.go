package torture

import (
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/sim"
)

// TestKilledTogetherAmongBuyers ends one of three processes after the other, at random moments, while all of them pass
// the leads of one database on to buyers that misbehave.
func TestKilledTogetherAmongBuyers(t *testing.T) {
	t.Parallel()
	rounds, w, g := choose(30, 3), newWitness(), newGround(t)
	all := openBranches(t, g.fresh(), 3)
	houses := recruit(t, g.url, w)
	for range rounds {
		all.beginGently(choose(0, 60*time.Millisecond)) // all have to be passed on
		time.Sleep(200*time.Millisecond + rand.N(600*time.Millisecond))
		if rand.N(2) == 0 { // what is under way when nobody asks any more is killed too
			all.stop()
			time.Sleep(rand.N(500 * time.Millisecond))
		}
		victim := all[rand.N(len(all))]
		victim.Kill()
		all.stop()
		victim.reopen()
	}
	var sum outcome
	all.audit(t, &sum)
	sum.acknowledged = all.acknowledged()
	sum.judge(t)
	getWell(t, houses, w) // and all pauses pass
	where := all.afterAll(t)
	w.judge(t, where, all.tallies()...)
	tell(t, "a lead has one buyer, whichever process dies", "%d kills among 3 processes and %d buyers, %v; %s messages; %d forwarded, %d held, %d locked",
		rounds+3, len(crowd), sum, thousands(w.messages), where.count(lead.Forwarded), where.count(lead.Collected), where.count(lead.Failed))
}

// TestOneHangs has one of three processes stand still in the middle of its work, with what it has locked. The others take
// leads as before, and go on to pass them on as soon as the server has ended what hangs.
func TestOneHangs(t *testing.T) {
	t.Parallel()
	rounds, w, g := choose(10, 1), newWitness(), newGround(t)
	_, url := settle(t, w.stand("good", &sim.Buyer{Secrets: []string{secret}, Offer: behaviour(t, "accept")}))
	foyer(t, "buyers", "add", "--database", g.fresh(), "--allow-private-buyers", "--name", "good", "--url", url, "--services", "hvac", "--secret", secret)
	all := openBranches(t, g.url, 3)
	var longest time.Duration
	for range rounds {
		all.beginGently(300 * time.Millisecond)
		g.freeze(all[0])
		longest = max(longest, w.longestSilence(6*time.Second))
		_ = all[0].Cmd.Process.Signal(syscall.SIGCONT)
		all[:1].untilAccepted(t)
		all.stop()
	}
	all[0].told.slowest = 0 // it could not
	for _, b := range all[1:] {
		if b.refusedAnybody() || strings.Contains(b.Remarks(), "could not be written down") {
			t.Errorf("another process suffered: %d refused\n%s", len(b.told.refused), b.Remarks())
		}
	}
	if longest > healing {
		t.Errorf("nothing was passed on for %v, want at most %v", longest, healing)
	}
	var sum outcome
	all.audit(t, &sum)
	sum.acknowledged = all.acknowledged()
	sum.judge(t)
	w.judge(t, all.afterAll(t), all.tallies()...)
	tell(t, "a process that hangs keeps nobody waiting", "%d times 6 s, %v; %s messages to a buyer, never more than %v apart", rounds, sum, thousands(w.messages), longest.Round(10*time.Millisecond))
}

// freeze has a process stand still at a moment at which it keeps the others from passing leads on.
func (g *ground) freeze(b *branch) {
	g.t.Helper()
	for began := time.Now(); time.Since(began) < 30*time.Second; {
		time.Sleep(20*time.Millisecond + rand.N(20*time.Millisecond))
		_ = b.Cmd.Process.Signal(syscall.SIGSTOP)
		time.Sleep(60 * time.Millisecond)
		if g.run(inTheWay) != "0" {
			return
		}
		_ = b.Cmd.Process.Signal(syscall.SIGCONT)
	}
	g.t.Fatal("the process was never in the way of others: the test proves nothing")
}

// inTheWay counts who does nothing and has a lock for itself.
const inTheWay = `SELECT count(*) FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND granted
	AND state = 'idle in transaction' AND state_change < clock_timestamp() - interval '50 ms'`

// afterAll kills all processes, has all pauses pass, starts them again, and says what became of the leads.
func (all branches) afterAll(t *testing.T) whereabouts {
	t.Helper()
	all.kill()
	hurry(t, all[0].at)
	for _, b := range all {
		b.reopen()
	}
	where := settled(t, all[0].at)
	all.stopInOrder()
	intact(t, all[0].at)
	return where
}

// longestSilence watches for a while how long no message came.
func (w *witness) longestSilence(watched time.Duration) (longest time.Duration) {
	began, heard, last := time.Now(), time.Now(), w.seen()
	for time.Since(began) < watched {
		time.Sleep(5 * time.Millisecond)
		if n := w.seen(); n != last {
			last, heard = n, time.Now()
		}
		longest = max(longest, time.Since(heard))
	}
	return longest
}

// TestOneLimitForAll counts what a client may do over three processes, one of which is killed meanwhile.
func TestOneLimitForAll(t *testing.T) {
	t.Parallel()
	const limit = 90
	g := newGround(t)
	all := openBranches(t, g.fresh(), 3, "--rate-limit", "1/hour burst 90")
	answers := make([]int, 4*limit)
	atOnce(len(answers), func(i int) {
		if i == limit/2 {
			all[0].Kill()
		}
		_, text := letter(marks.Add(1))
		if res, _, err := post(visitor, all[i%3].URL, text, ""); err == nil {
			answers[i] = res.StatusCode
		}
	})
	count := make(map[int]int)
	for _, status := range answers {
		count[status]++
	}
	kept := len(leadsIn(t, g.url))
	if count[202]+count[429]+count[0] != len(answers) || count[202] > limit || kept > limit || kept < count[202] || count[202] < limit-clients*3 {
		t.Errorf("by status: %v; %d kept", count, kept)
	}
	tell(t, "a limit holds for all processes together", "of %d leads sent to 3 processes at once, 1 kill, %d were accepted and %d kept, with a limit of %d", len(answers), count[202], kept, limit)
}
