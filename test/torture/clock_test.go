package torture

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/sim"
	"foyer/test/binary"
)

// clockError is how far the clock of a process may be off. Two processes then differ by twice as much.
const clockError = 5 * time.Second

// programWithClock returns the service with a clock that is that far off.
func programWithClock(t *testing.T, offset time.Duration) string {
	t.Helper()
	if offset == 0 {
		return program
	}
	if err := buildWithClocks(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(workFolder, "foyer"+offset.String())
}

// buildWithClocks builds the service with a clock that is ahead, and with one that is behind.
var buildWithClocks = sync.OnceValue(func() error {
	var all sync.WaitGroup
	var errs [2]error
	for i, offset := range []time.Duration{clockError, -clockError} {
		all.Go(func() {
			_, errs[i] = binary.Build(workFolder, "foyer"+offset.String(), "-ldflags", "-s -w -X foyer/internal/app.clockOffset="+offset.String())
		})
	}
	all.Wait()
	return errors.Join(errs[:]...)
})

// TestClocksDiffer forwards leads to buyers that misbehave by three processes, one with a clock that is ahead and one with a clock that is
// behind. In every round one process is frozen for a while and another is killed.
func TestClocksDiffer(t *testing.T) {
	t.Parallel()
	rounds, rec, pg := choose(20, 2), newRecorder(), newPGServer(t)
	procs := serviceProcs{startProc(t, pg.newDatabase(), clockError), startProc(t, pg.url, 0), startProc(t, pg.url, -clockError)}
	endpoints := addBuyers(t, pg.url, rec)
	pg.update("UPDATE buyers SET updated_at = updated_at - $1", (2 * clockError).Microseconds()) // or some offers are older than their buyer
	setOffers(t, endpoints, rec, "flapping:0.5,reject:out_of_area", "slow:2s,flapping:0.5,reject:cap")
	for range rounds {
		procs.startPacedLoad(choose(50*time.Millisecond, 100*time.Millisecond)) // all have to be forwarded
		time.Sleep(200*time.Millisecond + rand.N(400*time.Millisecond))
		procs.freezeOneAndKillAnother(t, pg)
	}
	var sum outcome
	procs.audit(t, &sum)
	sum.acknowledged = procs.acknowledged()
	sum.judge(t)
	makeBuyersAccept(t, endpoints, rec)
	procs.settleAll(t)
	setOffers(t, endpoints, rec, "reject:out_of_area", "slow:1s")
	slowest := procs.forwardFresh(t, pg, rec)
	where := awaitSettled(t, pg.url)
	procs.stopGracefully()
	checkIntegrity(t, pg.url)
	foyer(t, "db", "check", "--database", pg.url)
	rec.judge(t, pg.url, where, procs.tallies()...)
	early := pg.judgeOfferTimes()
	report(t, "a clock that is off loses nothing", "3 processes, up to %v apart, %d kills, %d times one frozen, %v; %s messages; %d forwarded, %d held, %d locked; %d offers by a clock that had not reached the lead's time; new leads forwarded in %v",
		2*clockError, rounds+3, rounds, sum, thousands(rec.messages), where.count(lead.Forwarded), where.count(lead.Collected), where.count(lead.Errored), early, slowest.Round(10*time.Millisecond))
}

// setOffers changes how the buyer that is asked first answers offers, and how the others do. All of them accept contacts.
func setOffers(t *testing.T, endpoints []*endpoint, rec *recorder, first, others string) {
	t.Helper()
	for i, ep := range endpoints {
		how := others
		if buyerSpecs[i].isFirst() {
			how = first
		}
		ep.setHandler(rec.wrap(buyerSpecs[i].name, &sim.Buyer{Secrets: []string{secret}, Offer: behaviour(t, how), Delivery: behaviour(t, "accept"), Seed: rand.Uint64()}))
	}
}

// freezeOneAndKillAnother freezes a process for a few seconds, kills another meanwhile, and ends the load. When the frozen one goes on,
// its leases are over.
func (procs serviceProcs) freezeOneAndKillAnother(t *testing.T, pg *pgServer) {
	t.Helper()
	order := rand.Perm(len(procs))
	frozen, victim := procs[order[0]], procs[order[1]]
	_ = frozen.Cmd.Process.Signal(syscall.SIGSTOP)
	time.Sleep(rand.N(500 * time.Millisecond))
	victim.Kill()
	pg.shortenLeases(buyer.Lease + 2*clockError) // instead of waiting
	time.Sleep(choose(2*time.Second+rand.N(4*time.Second), 1500*time.Millisecond))
	_ = frozen.Cmd.Process.Signal(syscall.SIGCONT)
	serviceProcs{frozen}.untilAccepted(t)
	procs.stop()
	frozen.told.resetTimer() // its clients waited until it went on
	victim.restart()
}

// maxFreshTime is less than a lead would take that waits until another clock reaches its time.
const maxFreshTime = clockError - time.Second

// forwardFresh sends some leads to each process, while nothing is broken, and returns how long it took at most until half of those of a
// process were forwarded. The first buyer declines each of them, and the next one hesitates.
func (procs serviceProcs) forwardFresh(t *testing.T, pg *pgServer, rec *recorder) (slowest time.Duration) {
	t.Helper()
	const leads = 5
	type sent struct {
		by *serviceProc
		at time.Time
	}
	pending, before := make(map[string]sent), rec.repeated()
	for range leads {
		for _, p := range procs {
			mark, text := newRequest(marks.Add(1))
			began := time.Now()
			id := p.sendOne(text).LeadID
			answered := time.Now()
			p.told.accepted[mark], pending[id] = id, sent{p, began}
			if at := pg.createdAt(id).Add(-p.clock); at.Before(began.Add(-time.Millisecond)) || at.After(answered.Add(time.Millisecond)) {
				t.Fatalf("a clock that should be off by %v stored %v between %v and %v: the test proves nothing", p.clock, at.Add(p.clock), began, answered)
			}
		}
	}
	forwarded := make(map[*serviceProc]int)
	for began := time.Now(); len(pending) > 0; time.Sleep(10 * time.Millisecond) {
		for id, s := range pending {
			if pg.isForwarded(id) {
				delete(pending, id)
				if forwarded[s.by]++; forwarded[s.by] == (leads+1)/2 {
					slowest = max(slowest, time.Since(s.at))
				}
			}
		}
		if time.Since(began) > 4*clockError {
			t.Fatalf("%d leads are not forwarded after %v", len(pending), 4*clockError)
		}
	}
	if slowest > maxFreshTime {
		t.Errorf("half of the leads of a process took %v or more, want at most %v", slowest, maxFreshTime)
	}
	if n := rec.repeated() - before; n > 0 {
		t.Errorf("%d messages were sent again, although no lease was over", n)
	}
	return slowest
}

// repeated returns how many messages came that had come before.
func (rec *recorder) repeated() int {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	return rec.messages - len(rec.bodies)
}

// createdAt returns when a lead came, as stored.
func (pg *pgServer) createdAt(id string) time.Time {
	pg.t.Helper()
	return time.UnixMicro(pg.number("SELECT created_at FROM leads WHERE id = $1", id))
}

// isForwarded reports whether a lead is forwarded.
func (pg *pgServer) isForwarded(id string) bool {
	pg.t.Helper()
	return pg.number("SELECT count(*) FROM leads WHERE id = $1 AND status = 'forwarded'", id) == 1
}

// judgeOfferTimes wants no buyer to be asked about a lead a second time soon, whichever clock made the offers. It returns how many were made by a
// clock that had not reached the time at which the lead came: without any, new leads waited for a clock.
func (pg *pgServer) judgeOfferTimes() (early int64) {
	pg.t.Helper()
	if n := pg.number("SELECT count(*) FROM offers a JOIN offers b USING (lead_seq, buyer_id) WHERE a.id < b.id AND abs(a.at - b.at) < $1", time.Minute.Microseconds()); n > 0 {
		pg.t.Errorf("%d times a buyer was asked twice about a lead within a minute", n)
	}
	if early = pg.number("SELECT count(*) FROM offers o JOIN leads l ON l.seq = o.lead_seq WHERE o.at < l.created_at"); early == 0 {
		pg.t.Error("no process offered a lead of one that is ahead of it: new leads wait for a clock, or the test proves nothing")
	}
	return early
}

// update changes rows directly.
func (pg *pgServer) update(statement string, args ...any) {
	pg.t.Helper()
	db := open(pg.t, pg.url)
	defer db.Close()
	_, err := db.ExecContext(pg.t.Context(), statement, args...)
	pg.must(err)
}

// number reads a number directly.
func (pg *pgServer) number(query string, args ...any) (n int64) {
	pg.t.Helper()
	db := open(pg.t, pg.url)
	defer db.Close()
	pg.must(db.QueryRowContext(pg.t.Context(), query, args...).Scan(&n))
	return n
}
