package torture

import (
	"os"
	"strings"
	"testing"
	"time"
)

// TestFailoverControl is the control: a standby that nobody waits for, and that has fallen behind, must lose leads when it takes over,
// or the audit finds nothing. The service notices that the newest is missing, and says so.
func TestFailoverControl(t *testing.T) {
	if os.Getenv("FAILOVER") == "" {
		t.Skip("make failover runs it")
	}
	t.Parallel()
	f := newFailover(t, true)
	dbURL := f.startOn(2)
	primary := f.primary()
	f.procs.startPacedLoad(100 * time.Millisecond)
	f.procs.untilAccepted(t)
	release := primary.HoldBack()
	time.Sleep(2 * time.Second)
	restart := f.kill(primary)
	back := f.untilBack(f.untilWritable(f.Other(primary)))
	release()
	restart()
	f.must(f.AwaitHealthy(2 * time.Minute))
	f.procs.stop()
	acknowledged := f.procs.acknowledged()
	found := audit(t, dbURL, f.procs.tallies()...)
	if found.lost == 0 {
		t.Error("nothing was lost with an asynchronous standby: these faults break nothing")
	}
	for _, p := range f.procs {
		if !strings.Contains(p.Remarks(), "the newest acknowledged lead is not on this server") {
			t.Errorf("the service does not tell that leads were lost\n%s", p.Remarks())
		}
	}
	f.procs.stopGracefully()
	report(t, "with an asynchronous standby it would", "%s acknowledged, %s lost; intake back %v after the new primary",
		thousands(acknowledged), thousands(found.lost), back)
}
