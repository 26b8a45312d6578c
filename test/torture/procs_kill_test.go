package torture

import (
	"math/rand/v2"
	"testing"
	"time"

	"foyer/internal/lead"
)

// TestProcessesKilledWhileForwarding kills one of three processes after another, at random moments, while all of them
// forward the leads of one database to buyers that misbehave.
func TestProcessesKilledWhileForwarding(t *testing.T) {
	t.Parallel()
	rounds, rec, pg := choose(30, 3), newRecorder(), newPGServer(t)
	procs := startProcs(t, pg.newDatabase(), 3)
	endpoints := addBuyers(t, pg.url, rec)
	for range rounds {
		procs.startPacedLoad(choose(30*time.Millisecond, 60*time.Millisecond)) // all have to be forwarded
		time.Sleep(200*time.Millisecond + rand.N(600*time.Millisecond))
		if rand.N(2) == 0 { // also kills what is in progress after the last request
			procs.stop()
			time.Sleep(rand.N(500 * time.Millisecond))
		}
		victim := procs[rand.N(len(procs))]
		victim.Kill()
		procs.stop()
		victim.restart()
	}
	var sum outcome
	procs.audit(t, &sum)
	sum.acknowledged = procs.acknowledged()
	sum.judge(t)
	makeBuyersAccept(t, endpoints, rec) // and all waits expire
	where := procs.afterAll(t)
	rec.judge(t, procs[0].dbURL, where, procs.tallies()...)
	report(t, "a lead has one buyer, whichever process dies", "%d kills among 3 processes and %d buyers, %v; %s messages; %d forwarded, %d held, %d locked",
		rounds+3, len(buyerSpecs), sum, thousands(rec.messages), where.count(lead.Forwarded), where.count(lead.Collected), where.count(lead.Errored))
}

// afterAll ends all waits, stops the processes, and returns what became of the leads.
func (procs serviceProcs) afterAll(t *testing.T) leadStatuses {
	t.Helper()
	where := procs.settleAll(t)
	procs.stopGracefully()
	checkIntegrity(t, procs[0].dbURL)
	return where
}

// settleAll kills all processes, expires all waits, restarts the processes, and returns what became of the leads.
func (procs serviceProcs) settleAll(t *testing.T) leadStatuses {
	t.Helper()
	procs.kill()
	expireWaits(t, procs[0].dbURL)
	for _, p := range procs {
		p.restart()
	}
	return awaitSettled(t, procs[0].dbURL)
}
