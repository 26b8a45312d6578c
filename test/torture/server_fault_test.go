package torture

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"foyer/test/postgres"
)

// serverFault is a way for a PostgreSQL server to fail. It begins under load, and ends when the returned function is
// called: then the server accepts connections again.
type serverFault struct {
	name         string
	start        func(t *testing.T) *pgServer
	begin        func(pg *pgServer) (end func())
	lasts        time.Duration // if fixed
	intermittent bool          // between two failures leads are safe
}

func serverFaults() []serverFault {
	plain := func(t *testing.T) *pgServer { return newPGServer(t) }
	stop := func(m postgres.Mode) func(*pgServer) func() {
		return func(pg *pgServer) func() { pg.must(pg.Stop(m)); return pg.ensureUp }
	}
	return []serverFault{
		{name: "PostgreSQL restarts fast", start: plain, begin: stop(postgres.Fast)},
		{name: "PostgreSQL restarts immediately", start: plain, begin: stop(postgres.Immediate)},
		{name: "PostgreSQL hangs", start: plain, begin: hangServer, lasts: 4 * time.Second},
		{name: "all connections are ended", start: plain, begin: (*pgServer).endConnections, intermittent: true},
		{name: "PostgreSQL turns read-only", start: plain, begin: (*pgServer).turnReadOnly},
		{name: "no connection is left", start: newCrowdedServer, begin: (*pgServer).exhaustConnections},
		{name: "PostgreSQL's disk is full", start: onSmallDisk, begin: (*pgServer).fillDisk, intermittent: true},
		{name: "PostgreSQL's log has no room", start: onSmallDisk, begin: (*pgServer).fillLog, intermittent: true},
	}
}

// TestServerFaults breaks the PostgreSQL server under running services and repairs it.
func TestServerFaults(t *testing.T) {
	t.Parallel()
	for _, f := range serverFaults() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			for range choose(3, 1) {
				f.run(t)
			}
		})
	}
}

func (f serverFault) run(t *testing.T) {
	pg := f.start(t)
	procs := startProcs(t, pg.newDatabase(), 2)
	procs.startLoad()
	procs.untilAccepted(t)
	time.Sleep(300 * time.Millisecond)
	end := f.begin(pg)
	procs.untilRefused(t)
	procs.wantPlumbingNumber(t)
	time.Sleep(500 * time.Millisecond) // an earlier commit may still be in flight
	felt := time.Now()
	time.Sleep(max(f.lasts, choose(3*time.Second, 900*time.Millisecond)))
	if !f.intermittent {
		procs.wantUnhealthy(t, felt)
	}
	procs.wantPlumbingNumber(t)
	end()
	recovered := procs.untilAccepted(t)
	time.Sleep(200 * time.Millisecond)
	procs.stop()
	checkOutcomeOfAll(t, f.name, procs, outcome{recovered: recovered})
}

// checkOutcomeOfAll compares what clients were told with what is stored, after a fault from which all processes recovered.
func checkOutcomeOfAll(t *testing.T, name string, procs serviceProcs, sum outcome) {
	t.Helper()
	procs.audit(t, &sum)
	sum.acknowledged = procs.acknowledged()
	sum.judge(t)
	sum.judgeAnswers(t)
	procs.stopGracefully()
	report(t, name, "%v; healed after %v", sum, sum.recovered.Round(time.Millisecond))
}

// wantPlumbingNumber wants the plumber's number from every process, soon.
func (procs serviceProcs) wantPlumbingNumber(t *testing.T) {
	t.Helper()
	for _, p := range procs {
		began := time.Now()
		p.wantPlumbingNumber()
		if took := time.Since(began); took > farRefusal {
			t.Errorf("the number took %v", took)
		}
	}
}

// wantUnhealthy wants no false answers since the fault took effect: no lead was accepted, a lookup does not claim that
// there is no such lead, and the health check reports the fault.
func (procs serviceProcs) wantUnhealthy(t *testing.T, felt time.Time) {
	t.Helper()
	for _, p := range procs {
		if n := p.told.acceptedSince(felt); n > 0 {
			t.Errorf("%d leads were accepted by a server that takes none", n)
		}
		for path, fine := range map[string]string{"/health": "503", "/v1/leads/" + p.told.anyID(): "200 503"} {
			began := time.Now()
			status, body := p.get(path)
			if took := time.Since(began); took > farRefusal || !strings.Contains(fine, fmt.Sprint(status)) {
				t.Errorf("%s: %d after %v: %s", path, status, took, body)
			}
		}
	}
}

func hangServer(pg *pgServer) func() {
	pg.must(pg.Pause())
	return pg.Resume
}

// endConnections repeatedly ends every connection of the service.
func (pg *pgServer) endConnections() (end func()) {
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			if _, err := pg.Exec("postgres", terminateQuery); err != nil {
				pg.t.Error(err)
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

// terminateQuery ends the connections of the service.
const terminateQuery = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'foyer'"

// turnReadOnly makes the server refuse all changes, as a former primary does.
func (pg *pgServer) turnReadOnly() (end func()) {
	turn := func(to string) {
		pg.run("ALTER SYSTEM SET default_transaction_read_only = " + to + "; SELECT pg_reload_conf()")
	}
	turn("on")
	return func() { turn("off") }
}
