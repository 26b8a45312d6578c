package torture

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// numbers are how many processes share a database in a test.
var numbers = []int{1, 3}

// TestProcessesKilled kills processes on a PostgreSQL server at random moments: the only one, and one of three.
func TestProcessesKilled(t *testing.T) {
	t.Parallel()
	for _, n := range numbers {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			killProcesses(t, n, choose(200, 5))
		})
	}
}

func killProcesses(t *testing.T, n, rounds int) {
	pg := newPGServer(t)
	var (
		sum              outcome
		early            int
		slowest, carryOn time.Duration
	)
	for done := 0; done < rounds; {
		dbURL := pg.newDatabase()
		early += killStarts(t, dbURL)
		procs := startProcs(t, dbURL, n)
		for range min(roundsPerDatabase, rounds-done) {
			procs.startLoad()
			time.Sleep(20*time.Millisecond + rand.N(400*time.Millisecond))
			victim := procs[rand.N(n)]
			victim.Kill()
			carryOn = max(carryOn, procs.without(victim).untilAccepted(t))
			procs.stop()
			for _, p := range procs.without(victim) {
				if p.hasRefused() || len(p.told.unanswered) > 0 {
					t.Errorf("another process suffered from the kill: %d refused, %d without an answer\n%s", len(p.told.refused), len(p.told.unanswered), p.Remarks())
				}
			}
			done++
			early += killStarts(t, dbURL)
			victim.restart()
			slowest = max(slowest, victim.took)
			procs.audit(t, &sum)
		}
		procs.kill()
		sum.acknowledged += procs.acknowledged()
	}
	sum.judge(t)
	report(t, "a 202 survives a crash of the service", "%d kills of %d on PostgreSQL, %v; %d kept without an answer; %d more kills while starting; slowest restart %v; others went on within %v",
		rounds, n, sum, sum.keptUnanswered, early, slowest.Round(time.Millisecond), carryOn.Round(time.Millisecond))
}

// TestServerKilled kills PostgreSQL itself, all its processes, and restarts it. The service keeps running and recovers by
// itself.
func TestServerKilled(t *testing.T) {
	t.Parallel()
	for _, n := range numbers {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			killServer(t, n, choose(200, 5))
		})
	}
}

func killServer(t *testing.T, n, rounds int) {
	pg := newPGServer(t)
	var sum outcome
	for done := 0; done < rounds; {
		procs := startProcs(t, pg.newDatabase(), n)
		for range min(roundsPerDatabase, rounds-done) {
			procs.startLoad()
			time.Sleep(20*time.Millisecond + rand.N(400*time.Millisecond))
			pg.must(pg.Kill())
			procs.untilRefused(t)
			procs[0].wantPlumbingNumber()
			time.Sleep(rand.N(choose(700*time.Millisecond, 200*time.Millisecond)))
			pg.must(pg.Start())
			sum.recovered = max(sum.recovered, procs.untilAccepted(t))
			procs.stop()
			done++
			procs.audit(t, &sum)
		}
		procs.stopGracefully()
		sum.acknowledged += procs.acknowledged()
	}
	sum.judge(t)
	sum.judgeAnswers(t)
	report(t, "a 202 survives a crash of PostgreSQL", "%d kills below %d, %v; healed within %v", rounds, n, sum, sum.recovered.Round(time.Millisecond))
}
