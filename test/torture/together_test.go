package torture

import (
	"math/rand/v2"
	"testing"
	"time"

	"foyer/internal/lead"
)

// TestKilledTogetherAmongBuyers ends one of three processes after the other, at random moments, while all of them pass
// the leads of one database on to buyers that misbehave.
func TestKilledTogetherAmongBuyers(t *testing.T) {
	t.Parallel()
	rounds, w, g := choose(30, 3), newWitness(), newGround(t)
	all := openBranches(t, g.fresh(), 3)
	houses := recruit(t, g.url, w)
	for range rounds {
		all.beginGently(choose(30*time.Millisecond, 60*time.Millisecond)) // all have to be passed on
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
	w.judge(t, all[0].at, where, all.tallies()...)
	tell(t, "a lead has one buyer, whichever process dies", "%d kills among 3 processes and %d buyers, %v; %s messages; %d forwarded, %d held, %d locked",
		rounds+3, len(crowd), sum, thousands(w.messages), where.count(lead.Forwarded), where.count(lead.Collected), where.count(lead.Errored))
}

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
