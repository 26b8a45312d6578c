package torture

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"foyer/test/postgres"
)

// trouble is a way for a PostgreSQL server to fail. It begins under load, and ends when the function that it returns is
// called: then the server takes clients again.
type trouble struct {
	name  string
	start func(t *testing.T) *ground
	begin func(g *ground) (end func())
	lasts time.Duration // where that is said
	fits  bool          // it comes and goes: between two fits leads are safe
}

func troubles() []trouble {
	plain := func(t *testing.T) *ground { return newGround(t) }
	stop := func(m postgres.Mode) func(*ground) func() {
		return func(g *ground) func() { g.do(g.Stop(m)); return g.up }
	}
	return []trouble{
		{name: "PostgreSQL restarts fast", start: plain, begin: stop(postgres.Fast)},
		{name: "PostgreSQL restarts immediately", start: plain, begin: stop(postgres.Immediate)},
		{name: "PostgreSQL hangs", start: plain, begin: hangs, lasts: 4 * time.Second},
		{name: "all connections are ended", start: plain, begin: (*ground).endConnections, fits: true},
		{name: "PostgreSQL turns read-only", start: plain, begin: (*ground).turnReadOnly},
		{name: "no connection is left", start: crowded, begin: (*ground).crowdOut},
		{name: "PostgreSQL's disk is full", start: onSmallDisk, begin: (*ground).fillDisk, fits: true},
		{name: "PostgreSQL's log has no room", start: onSmallDisk, begin: (*ground).fillLog, fits: true},
	}
}

// TestServerFaults breaks the PostgreSQL server below running services and mends it again.
func TestServerFaults(t *testing.T) {
	t.Parallel()
	for _, x := range troubles() {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			for range choose(3, 1) {
				x.strike(t)
			}
		})
	}
}

func (x trouble) strike(t *testing.T) {
	g := x.start(t)
	all := openBranches(t, g.fresh(), 2)
	all.begin()
	all.untilAccepted(t)
	time.Sleep(300 * time.Millisecond)
	end := x.begin(g)
	all.untilRefused(t)
	all.serveTheNumber(t)
	time.Sleep(500 * time.Millisecond) // a commit from before may still be on its way
	felt := time.Now()
	time.Sleep(max(x.lasts, choose(3*time.Second, 900*time.Millisecond)))
	if !x.fits {
		all.wantUnwell(t, felt)
	}
	all.serveTheNumber(t)
	end()
	healed := all.untilAccepted(t)
	time.Sleep(200 * time.Millisecond)
	all.stop()
	reckonAll(t, x.name, all, outcome{healed: healed})
}

// reckonAll compares what clients were told with what is kept, after a fault from which all processes healed.
func reckonAll(t *testing.T, name string, all branches, sum outcome) {
	t.Helper()
	all.audit(t, &sum)
	sum.acknowledged = all.acknowledged()
	sum.judge(t)
	sum.judgeAnswers(t)
	all.stopInOrder()
	tell(t, name, "%v; healed after %v", sum, sum.healed.Round(time.Millisecond))
}

// serveTheNumber wants the plumber's number from every process, soon.
func (all branches) serveTheNumber(t *testing.T) {
	t.Helper()
	for _, b := range all {
		began := time.Now()
		b.servesTheNumber()
		if took := time.Since(began); took > farRefusal {
			t.Errorf("the number took %v", took)
		}
	}
}

// wantUnwell wants nobody to have been told an untruth since the fault was felt: no lead was accepted, a look-up does not
// claim that there is no such lead, and whoever asks how the service is hears it.
func (all branches) wantUnwell(t *testing.T, felt time.Time) {
	t.Helper()
	for _, b := range all {
		if n := b.told.acceptedSince(felt); n > 0 {
			t.Errorf("%d leads were accepted by a server that takes none", n)
		}
		for path, fine := range map[string]string{"/health": "503", "/v1/leads/" + b.told.anyID(): "200 503"} {
			began := time.Now()
			status, body := b.get(path)
			if took := time.Since(began); took > farRefusal || !strings.Contains(fine, fmt.Sprint(status)) {
				t.Errorf("%s: %d after %v: %s", path, status, took, body)
			}
		}
	}
}

func hangs(g *ground) func() {
	g.do(g.Pause())
	return g.Resume
}

// endConnections ends every connection of the service, again and again.
func (g *ground) endConnections() (end func()) {
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			if _, err := g.Exec("postgres", sendAway); err != nil {
				g.t.Error(err)
			}
			select {
			case <-stop:
				return
			case <-time.After(150 * time.Millisecond):
			}
		}
	}()
	return func() { close(stop); <-stopped }
}

// sendAway ends the connections of the service.
const sendAway = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'foyer'"

// turnReadOnly has the server take no changes from anybody, as a server that is no longer the first does.
func (g *ground) turnReadOnly() (end func()) {
	turn := func(to string) {
		g.run("ALTER SYSTEM SET default_transaction_read_only = " + to + "; SELECT pg_reload_conf()")
	}
	turn("on")
	return func() { turn("off") }
}
