package torture

import (
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"foyer/internal/sim"
)

// TestProcessHangs stops one of three processes in the middle of its work, holding its locks. The others accept leads as
// before, and continue to forward them as soon as the server has ended the hung sessions.
func TestProcessHangs(t *testing.T) {
	t.Parallel()
	rounds, rec, pg := choose(10, 1), newRecorder(), newPGServer(t)
	_, url := newEndpoint(t, rec.wrap("good", &sim.Buyer{Secrets: []string{secret}, Offer: behaviour(t, "accept")}))
	foyer(t, "buyers", "add", "--live", "--database", pg.newDatabase(), "--allow-private-buyers", "--name", "good", "--url", url, "--services", "hvac", "--price", leadPrice, "--secret", secret)
	procs := startProcs(t, pg.url, 3)
	var longest time.Duration
	for range rounds {
		procs.startPacedLoad(300 * time.Millisecond)
		pg.freeze(procs[0])
		longest = max(longest, rec.longestSilence(6*time.Second))
		_ = procs[0].Cmd.Process.Signal(syscall.SIGCONT)
		procs[:1].untilAccepted(t)
		procs.stop()
	}
	procs[0].told.slowest = 0 // it was stopped
	for _, p := range procs[1:] {
		if p.hasRefused() || strings.Contains(p.Remarks(), "could not record a buyer's answer") {
			t.Errorf("another process suffered: %d refused\n%s", len(p.told.refused), p.Remarks())
		}
	}
	if longest > maxRecoveryTime {
		t.Errorf("nothing was passed on for %v, want at most %v", longest, maxRecoveryTime)
	}
	var sum outcome
	procs.audit(t, &sum)
	sum.acknowledged = procs.acknowledged()
	sum.judge(t)
	rec.judge(t, procs[0].dbURL, procs.afterAll(t), procs.tallies()...)
	report(t, "a process that hangs keeps nobody waiting", "%d times 6 s, %v; %s messages to a buyer, never more than %v apart", rounds, sum, thousands(rec.messages), longest.Round(10*time.Millisecond))
}

// freeze stops a process at a moment when it keeps the others from forwarding leads.
func (pg *pgServer) freeze(p *serviceProc) {
	pg.t.Helper()
	for began := time.Now(); time.Since(began) < 30*time.Second; {
		time.Sleep(20*time.Millisecond + rand.N(20*time.Millisecond))
		_ = p.Cmd.Process.Signal(syscall.SIGSTOP)
		time.Sleep(60 * time.Millisecond)
		if pg.run(blockingSessions) != "0" {
			return
		}
		_ = p.Cmd.Process.Signal(syscall.SIGCONT)
	}
	pg.t.Fatal("the process was never in the way of others: the test proves nothing")
}

// blockingSessions counts the idle sessions that hold an exclusive lock.
const blockingSessions = `SELECT count(*) FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND granted
	AND state = 'idle in transaction' AND state_change < clock_timestamp() - interval '50 ms'`

// longestSilence returns the longest time without a message while watching.
func (rec *recorder) longestSilence(watched time.Duration) (longest time.Duration) {
	began, heard, last := time.Now(), time.Now(), rec.seen()
	for time.Since(began) < watched {
		time.Sleep(5 * time.Millisecond)
		if n := rec.seen(); n != last {
			last, heard = n, time.Now()
		}
		longest = max(longest, time.Since(heard))
	}
	return longest
}
