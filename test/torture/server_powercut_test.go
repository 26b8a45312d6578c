package torture

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestServerPowerCuts takes the disk away from PostgreSQL under load, and all that was not synced with it. The service is
// on another machine: it lives, and heals by itself.
func TestServerPowerCuts(t *testing.T) {
	t.Parallel()
	g, all := onRealDisk(t)
	rounds, sum := choose(100, 3), outcome{}
	for range rounds {
		all.begin()
		time.Sleep(50*time.Millisecond + rand.N(300*time.Millisecond))
		g.cutPower(all[0].told)
		all.untilRefused(t)
		g.restorePower(all[0].told)
		g.do(g.Start())
		sum.healed = max(sum.healed, all.untilAccepted(t))
		all.stop()
		all.audit(t, &sum)
	}
	sum.acknowledged = all.acknowledged()
	all.stopInOrder()
	sum.judge(t)
	sum.judgeAnswers(t)
	tell(t, "a 202 survives a power cut at PostgreSQL", "%d cuts, %v; of %d accepted from a machine without power %d lost; healed within %v",
		rounds, sum, sum.late, sum.lateLost, sum.healed.Round(time.Millisecond))
}

// TestServerPowerCutsAreReal is the control: a server that was told not to wait for the disk must lose leads, or the cuts
// prove nothing. It may not even start again, so each cut has a server of its own.
func TestServerPowerCutsAreReal(t *testing.T) {
	t.Parallel()
	rounds, acknowledged, lost := choose(10, 1), 0, 0
	for range rounds {
		g, all := onRealDisk(t, "fsync=off")
		all.begin()
		time.Sleep(50*time.Millisecond + rand.N(300*time.Millisecond))
		g.cutPower(all[0].told)
		all.stop()
		all.kill()
		g.restorePower(all[0].told)
		acknowledged += all.acknowledged()
		lost += max(0, all.acknowledged()-g.remains())
	}
	if lost == 0 {
		t.Error("nothing was lost with fsync=off: these cuts cut nothing")
	}
	tell(t, "with fsync=off it would not", "%d cuts, %s acknowledged, %s lost", rounds, thousands(acknowledged), thousands(lost))
}

// onRealDisk starts a server on a disk whose power can be cut, and a process of the service. All that is there before the
// first lead is on the disk.
func onRealDisk(t *testing.T, settings ...string) (*ground, branches) {
	t.Helper()
	g := groundOn(t, xfs(t, 640<<20), settings...)
	all := openBranches(t, g.fresh(), 1)
	g.disk.run("sync", "-f", g.disk.folder)
	return g, all
}

// cutPower ends the machine that PostgreSQL runs on. What is accepted after it is counted apart: the kernel may tell a sync
// that is under way that all is well (see gone_test.go), but a machine without power sends no answer.
func (g *ground) cutPower(told *tally) {
	g.t.Helper()
	told.power(false)
	g.disk.cutPower()
	time.Sleep(rand.N(50 * time.Millisecond))
	g.do(g.Kill())
}

func (g *ground) restorePower(told *tally) {
	g.t.Helper()
	g.disk.restorePower()
	told.power(true)
}

// remains is how many leads a server has that may be damaged, or not start.
func (g *ground) remains() (leads int) {
	g.t.Helper()
	if err := g.Start(); err != nil {
		return 0
	}
	db := open(g.t, g.url)
	defer db.Close()
	if err := db.QueryRowContext(g.t.Context(), "SELECT count(*) FROM leads").Scan(&leads); err != nil {
		return 0
	}
	return leads
}
