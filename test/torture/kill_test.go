package torture

import (
	"math/rand/v2"
	"testing"
	"time"
)

const (
	roundsPerDatabase = 20          // then a new database, so that first starts are killed, too
	maxRestartTime    = time.Second // of the service
)

// TestKilledUnderLoad kills the process at random moments with SIGKILL.
func TestKilledUnderLoad(t *testing.T) {
	rounds := choose(200, 20)
	var (
		acknowledged, early int
		total               auditResult
		slowest             time.Duration
	)
	for done := 0; done < rounds; {
		dbURL, told := database(t.TempDir()), newTally()
		early += killStarts(t, dbURL)
		s := serve(t, program, dbURL)
		for range min(roundsPerDatabase, rounds-done) {
			l := send(t, s.URL, told)
			time.Sleep(20*time.Millisecond + rand.N(400*time.Millisecond))
			s.Kill()
			l.stop()
			done++
			early += killStarts(t, dbURL)
			s = serve(t, program, dbURL)
			slowest = max(slowest, s.took)
			checkIntegrity(t, dbURL)
			f := audit(t, dbURL, told)
			if total.add(f); f.lost > 0 {
				t.Fatalf("%d acknowledged leads are lost after %d kills", f.lost, done)
			}
		}
		s.Kill()
		acknowledged += len(told.accepted)
	}
	if slowest > maxRestartTime {
		t.Errorf("a restart took %v, want at most %v", slowest, maxRestartTime)
	}
	if acknowledged == 0 {
		t.Error("nothing was acknowledged: the test proves nothing")
	}
	report(t, "a 202 survives a crash", "%d kills, %s acknowledged, %d lost, %d kept without an answer; %d more kills while starting; slowest restart %v",
		rounds, thousands(acknowledged), total.lost, total.keptUnanswered, early, slowest.Round(time.Millisecond))
}

// killStarts sometimes kills the service while it starts: recovery and migrations have to survive that, too.
func killStarts(t *testing.T, dbURL string) (killed int) {
	for rand.N(3) == 0 {
		s := launch(t, program, dbURL)
		time.Sleep(rand.N(60 * time.Millisecond))
		s.Kill()
		killed++
	}
	return killed
}
