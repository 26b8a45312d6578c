package torture

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// numbers are how many processes share a database in a test.
var numbers = []int{1, 3}

// TestProcessesKilled ends processes on a PostgreSQL server at random moments: the only one, and one of three.
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
	g := newGround(t)
	var (
		sum              outcome
		early            int
		slowest, carryOn time.Duration
	)
	for done := 0; done < rounds; {
		at := g.fresh()
		early += killStarts(t, at)
		all := openBranches(t, at, n)
		for range min(perDatabase, rounds-done) {
			all.begin()
			time.Sleep(20*time.Millisecond + rand.N(400*time.Millisecond))
			victim := all[rand.N(n)]
			victim.Kill()
			carryOn = max(carryOn, all.without(victim).untilAccepted(t))
			all.stop()
			for _, b := range all.without(victim) {
				if b.refusedAnybody() || len(b.told.unanswered) > 0 {
					t.Errorf("another process suffered from the kill: %d refused, %d without an answer\n%s", len(b.told.refused), len(b.told.unanswered), b.Remarks())
				}
			}
			done++
			early += killStarts(t, at)
			victim.reopen()
			slowest = max(slowest, victim.took)
			all.audit(t, &sum)
		}
		all.kill()
		sum.acknowledged += all.acknowledged()
	}
	sum.judge(t)
	tell(t, "a 202 survives a crash of the service", "%d kills of %d on PostgreSQL, %v; %d kept without an answer; %d more kills while starting; slowest restart %v; others went on within %v",
		rounds, n, sum, sum.unspoken, early, slowest.Round(time.Millisecond), carryOn.Round(time.Millisecond))
}

// TestServerKilled ends PostgreSQL itself, all its processes, and starts it again. The service lives and heals by itself.
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
	g := newGround(t)
	var sum outcome
	for done := 0; done < rounds; {
		all := openBranches(t, g.fresh(), n)
		for range min(perDatabase, rounds-done) {
			all.begin()
			time.Sleep(20*time.Millisecond + rand.N(400*time.Millisecond))
			g.do(g.Kill())
			all.untilRefused(t)
			all[0].servesTheNumber()
			time.Sleep(rand.N(choose(700*time.Millisecond, 200*time.Millisecond)))
			g.do(g.Start())
			sum.healed = max(sum.healed, all.untilAccepted(t))
			all.stop()
			done++
			all.audit(t, &sum)
		}
		all.stopInOrder()
		sum.acknowledged += all.acknowledged()
	}
	sum.judge(t)
	sum.judgeAnswers(t)
	tell(t, "a 202 survives a crash of PostgreSQL", "%d kills below %d, %v; healed within %v", rounds, n, sum, sum.healed.Round(time.Millisecond))
}
