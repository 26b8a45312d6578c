package torture

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/sim"
)

// maxTakeover is how soon each process accepts leads again after another primary accepts writes.
const maxTakeover = 15 * time.Second

// TestFailover breaks a cluster of two PostgreSQL servers, of which one waits for the other, below two processes that accept and
// forward leads. FAILOVER says how many times.
func TestFailover(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv("FAILOVER"))
	if err != nil {
		t.Skip("make failover runs it")
	}
	t.Parallel()
	f, rec := newFailover(t, false), newRecorder()
	dbURL := f.startOn(2)
	f.addBuyers(dbURL, rec)
	sum, all := outcome{bound: slowRefusal}, f.faults()
	for i := range rounds {
		f.round(all[i%len(all)], &sum)
	}
	where := awaitSettled(t, dbURL)
	for _, p := range f.procs {
		p.wantRunning()
	}
	f.procs.stopGracefully()
	checkIntegrity(t, dbURL)
	sum.acknowledged = f.procs.acknowledged()
	sum.judge(t)
	sum.judgeAnswers(t)
	rec.judge(t, dbURL, where, f.procs.tallies()...)
	if n := len(where) - where.count(lead.Forwarded); n > 0 {
		t.Errorf("%d of %d leads were not forwarded", n, len(where))
	}
	report(t, "another primary loses nothing and sells nothing twice", "%d rounds, %v; %s messages, %s forwarded; intake back within %v",
		rounds, sum, thousands(rec.messages), thousands(where.count(lead.Forwarded)), sum.recovered.Round(time.Millisecond))
}

// addBuyers adds buyers that accept everything, at their own pace: what is wrong is on our side.
func (f *failover) addBuyers(dbURL string, rec *recorder) {
	f.t.Helper()
	for name, flags := range map[string][]string{"fast": nil, "slow": {"--max-in-flight", "64"}, "one-step": {"--one-step"}} {
		offer := "accept"
		if name == "slow" {
			offer = "slow:300ms"
		}
		_, url := newEndpoint(f.t, rec.wrap(name, &sim.Buyer{Secrets: []string{secret}, Offer: behaviour(f.t, offer)}))
		foyer(f.t, append([]string{
			"buyers", "add", "--live", "--database", dbURL, "--allow-private-buyers",
			"--name", name, "--url", url, "--services", "hvac", "--price", leadPrice, "--secret", secret,
		}, flags...)...)
	}
}

// round breaks the cluster under load, waits until leads are accepted again, repairs it, and audits.
func (f *failover) round(c clusterFault, sum *outcome) {
	f.t.Helper()
	primary := f.primary()
	standby := f.Other(primary)
	f.procs.startPacedLoad(250 * time.Millisecond)
	f.procs.untilAccepted(f.t)
	time.Sleep(500*time.Millisecond + rand.N(time.Second))

	began := time.Now()
	end := c.begin(primary, standby)
	var decided time.Time
	if c.stays {
		decided = f.untilAlone(primary)
	} else {
		decided = f.untilWritable(standby)
	}
	back := f.untilBack(decided)
	time.Sleep(time.Second + rand.N(2*time.Second))
	end()
	repaired := time.Now()
	f.must(f.AwaitHealthy(2 * time.Minute))
	healthy := time.Now()
	f.procs.untilAccepted(f.t)
	f.procs.stop()
	_, refused := f.procs[0].told.counts()
	before := sum.lost
	f.procs.audit(f.t, sum)
	for _, took := range back {
		sum.recovered = max(sum.recovered, took)
	}
	report(f.t, c.name, "decided after %v, intake back %v later; healthy %v after the repair; %d refused by the first, %d lost",
		decided.Sub(began).Round(10*time.Millisecond), back, healthy.Sub(repaired).Round(10*time.Millisecond), refused, sum.lost-before)
}

// untilBack waits until each process has accepted a lead after a moment, and returns how long each took.
func (f *failover) untilBack(since time.Time) (took []time.Duration) {
	f.t.Helper()
	for i, p := range f.procs {
		at, ok := p.told.firstAccepted(since, maxTakeover)
		if !ok {
			f.t.Fatalf("process %d accepts nothing %v after another primary accepts writes\n%s", i+1, maxTakeover, p.Remarks())
		}
		took = append(took, at.Sub(since).Round(10*time.Millisecond))
	}
	return took
}

// wantRunning checks that a process has not ended. Nothing here starts one again.
func (p *serviceProc) wantRunning() {
	select {
	case <-p.Ended:
		p.t.Errorf("process %d has ended\n%s", p.Cmd.Process.Pid, p.Remarks())
	default:
	}
}
