package torture

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestServerPowerCuts takes the disk away from PostgreSQL under load, and with it everything that was not synced. The
// service is on another machine: it keeps running, and recovers by itself.
func TestServerPowerCuts(t *testing.T) {
	t.Parallel()
	pg, procs := onRealDisk(t)
	rounds, sum := choose(100, 3), outcome{}
	for range rounds {
		procs.startLoad()
		time.Sleep(50*time.Millisecond + rand.N(300*time.Millisecond))
		pg.cutPower(procs[0].told)
		procs.untilRefused(t)
		pg.restorePower(procs[0].told)
		pg.must(pg.Start())
		sum.recovered = max(sum.recovered, procs.untilAccepted(t))
		procs.stop()
		procs.audit(t, &sum)
	}
	sum.acknowledged = procs.acknowledged()
	procs.stopGracefully()
	sum.judge(t)
	sum.judgeAnswers(t)
	report(t, "a 202 survives a power cut at PostgreSQL", "%d cuts, %v; of %d accepted from a machine without power %d lost; healed within %v",
		rounds, sum, sum.late, sum.lateLost, sum.recovered.Round(time.Millisecond))
}

// TestServerPowerCutControl is the control: a server that does not wait for the disk must lose leads, or the cuts prove
// nothing. It may not even start again, so each cut has its own server.
func TestServerPowerCutControl(t *testing.T) {
	t.Parallel()
	rounds, acknowledged, lost := choose(10, 1), 0, 0
	for range rounds {
		pg, procs := onRealDisk(t, "fsync=off")
		procs.startLoad()
		time.Sleep(50*time.Millisecond + rand.N(300*time.Millisecond))
		pg.cutPower(procs[0].told)
		procs.stop()
		procs.kill()
		pg.restorePower(procs[0].told)
		acknowledged += procs.acknowledged()
		lost += max(0, procs.acknowledged()-pg.countSurvivors())
	}
	if lost == 0 {
		t.Error("nothing was lost with fsync=off: these cuts cut nothing")
	}
	report(t, "with fsync=off it would not", "%d cuts, %s acknowledged, %s lost", rounds, thousands(acknowledged), thousands(lost))
}

// onRealDisk starts a server on a disk whose power can be cut, and a process of the service. Everything before the first
// lead is on the disk.
func onRealDisk(t *testing.T, settings ...string) (*pgServer, serviceProcs) {
	t.Helper()
	pg := pgServerOn(t, xfs(t, 640<<20), settings...)
	procs := startProcs(t, pg.newDatabase(), 1)
	pg.disk.run("sync", "-f", pg.disk.folder)
	return pg, procs
}

// cutPower ends the machine that PostgreSQL runs on. Leads accepted after it are counted separately: the kernel may report
// success for a sync in progress (see disk_gone_test.go), but a machine without power sends no answer.
func (pg *pgServer) cutPower(told *tally) {
	pg.t.Helper()
	told.setPower(false)
	pg.disk.cutPower()
	time.Sleep(rand.N(50 * time.Millisecond))
	pg.must(pg.Kill())
}

func (pg *pgServer) restorePower(told *tally) {
	pg.t.Helper()
	pg.disk.restorePower()
	told.setPower(true)
}

// countSurvivors returns how many leads are left on a server that may be damaged, or not start.
func (pg *pgServer) countSurvivors() (leads int) {
	pg.t.Helper()
	if err := pg.Start(); err != nil {
		return 0
	}
	db := open(pg.t, pg.url)
	defer db.Close()
	if err := db.QueryRowContext(pg.t.Context(), "SELECT count(*) FROM leads").Scan(&leads); err != nil {
		return 0
	}
	return leads
}
