package torture

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestPowerCuts takes the disk away under load, and with it everything that was not synced.
func TestPowerCuts(t *testing.T) {
	c := cutPower(t, program, choose(100, 6))
	if c.lost > 0 {
		t.Errorf("%d acknowledged leads are lost", c.lost)
	}
	if c.slowest > maxRestartTime {
		t.Errorf("a restart took %v, want at most %v", c.slowest, maxRestartTime)
	}
	report(t, "a 202 survives a power cut", "%d cuts, %s acknowledged, %d lost; of %d accepted by a machine without power %d lost; %d kept without an answer, %d although refused; slowest restart %v",
		c.rounds, thousands(c.acknowledged), c.lost, c.late, c.lateLost, c.keptUnanswered, c.keptRefused, c.slowest.Round(time.Millisecond))
}

// TestPowerCutControl is the control: commits that do not wait for the disk must lose leads, or the cuts prove nothing.
func TestPowerCutControl(t *testing.T) {
	c := cutPower(t, unsafeProgram(t), choose(10, 3))
	if c.lost == 0 {
		t.Error("nothing was lost with synchronous=NORMAL: these cuts cut nothing")
	}
	report(t, "with synchronous=NORMAL it would not", "%d cuts, %s acknowledged, %s lost", c.rounds, thousands(c.acknowledged), thousands(c.lost))
}

// cuts is what became of leads over many power cuts.
type cuts struct {
	rounds, acknowledged int
	auditResult
	slowest time.Duration
}

// cutPower cuts the power of one database repeatedly. Leads accepted after a cut are counted separately: the kernel may
// report success for a sync in progress (see disk_gone_test.go), but a machine without power sends no answer.
func cutPower(t *testing.T, program string, rounds int) cuts {
	t.Helper()
	c, d, told := cuts{rounds: rounds}, xfs(t, 320<<20), newTally()
	dbURL := database(d.folder)
	s := serve(t, program, dbURL)
	for range rounds {
		before := len(told.accepted)
		l := send(t, s.URL, told)
		time.Sleep(50*time.Millisecond + rand.N(300*time.Millisecond))
		told.setPower(false)
		d.cutPower()
		time.Sleep(rand.N(50 * time.Millisecond))
		s.Kill()
		l.stop()
		told.setPower(true)
		c.acknowledged += len(told.accepted) - before
		d.restorePower()
		s = serve(t, program, dbURL)
		c.slowest = max(c.slowest, s.took)
		checkIntegrity(t, dbURL)
		c.add(audit(t, dbURL, told))
	}
	if c.acknowledged == 0 {
		t.Error("nothing was acknowledged: the test proves nothing")
	}
	return c
}
