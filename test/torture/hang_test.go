package torture

import (
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"foyer/internal/sim"
)

// TestOneHangs has one of three processes stand still in the middle of its work, with what it has locked. The others take
// leads as before, and go on to pass them on as soon as the server has ended what hangs.
func TestOneHangs(t *testing.T) {
	t.Parallel()
	rounds, w, g := choose(10, 1), newWitness(), newGround(t)
	_, url := settle(t, w.stand("good", &sim.Buyer{Secrets: []string{secret}, Offer: behaviour(t, "accept")}))
	foyer(t, "buyers", "add", "--live", "--database", g.fresh(), "--allow-private-buyers", "--name", "good", "--url", url, "--services", "hvac", "--secret", secret)
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
	w.judge(t, all[0].at, all.afterAll(t), all.tallies()...)
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

// inTheWay counts the sessions that do nothing and hold a lock to themselves.
const inTheWay = `SELECT count(*) FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND granted
	AND state = 'idle in transaction' AND state_change < clock_timestamp() - interval '50 ms'`

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
