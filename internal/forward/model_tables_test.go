package forward_test

import (
	"cmp"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// queries read the tables after each step.
type queries struct{ leads, deliveries, offers, healths, history, fingerprints, withheld, attempts, version *sql.Stmt }

// prepare prepares the queries. The one that detects writes depends on the engine.
func (q *queries) prepare(t *testing.T, db *sql.DB, edition string) {
	t.Helper()
	for text, into := range map[string]**sql.Stmt{
		`SELECT seq, status, marks FROM leads ORDER BY seq`: &q.leads,
		`SELECT lead_seq, buyer_queue, step, due_at, owner <> '', since, offer_id FROM deliveries
			UNION ALL SELECT lead_seq, '', 'ask', created_at, '' <> '', created_at, '' FROM new_leads JOIN leads ON seq = lead_seq`: &q.deliveries,
		`SELECT id, lead_seq, buyer_id, one_step, state, code FROM offers ORDER BY id`:                      &q.offers,
		`SELECT buyer_id, failures, opened, open_until, quiet_until, wake_at, scan_until FROM buyer_health`: &q.healths,
		`SELECT lead_seq, reason, check_at FROM withheld`:                                                   &q.withheld,
		`SELECT lead_seq, offer_id, kind, at, url, decision FROM attempts`:                                  &q.attempts,
		`SELECT seq, lead_seq, status, actor FROM history WHERE seq > $1 ORDER BY seq`:                      &q.history,
		edition:                             &q.version,
		`SELECT lead_seq FROM fingerprints`: &q.fingerprints,
	} {
		var err error
		if *into, err = db.Prepare(text); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { (*into).Close() })
	}
}

// each runs a query.
func (w *world) each(q *sql.Stmt, args []any, do func(scan func(...any))) {
	rows, err := q.Query(args...)
	w.must(err)
	defer rows.Close()
	for rows.Next() {
		do(func(dest ...any) { w.must(rows.Scan(dest...)) })
	}
	w.must(rows.Err())
}

// compare compares the tables with the model.
func (w *world) compare(after string) {
	w.t.Helper()
	w.compareScanned(after)
	if w.offersRead == w.dataVersion {
		return
	}
	w.offersRead = w.dataVersion
	w.compareOffers(after)
	w.compareAttempts(after)
}

// compareScanned compares what a step of a scan may change. The offers and attempts are most of the rows, and there are many
// such steps: those tables are compared at the end of the action.
func (w *world) compareScanned(after string) {
	w.t.Helper()
	if !w.changed() {
		return
	}
	w.compareLeads(after)
	w.compareMarket(after)
	w.compareDeliveries(after)
	w.compareHealth(after)
	w.readHistory(after)
}

// changed reports whether anything was written since the last comparison.
func (w *world) changed() bool {
	before := w.dataVersion
	w.each(w.queries.version, nil, func(scan func(...any)) { scan(&w.dataVersion) })
	return w.dataVersion != before
}

func (w *world) compareLeads(after string) {
	n := 0
	w.each(w.queries.leads, nil, func(scan func(...any)) {
		var seq int
		var status lead.Status
		var marks string
		scan(&seq, &status, &marks)
		l := w.leads[seq-1]
		n++
		if w.activeScan != nil && l.status == lead.Collected && status == lead.Received {
			w.released(l)
		}
		if status != l.status {
			w.t.Fatalf("after %s: %s is %s, but the model says %s", after, l.ID, status, l.status)
		}
		l.marked = strings.Split(marks, ",")
	})
	if n != len(w.leads) {
		w.t.Fatalf("there are %d leads, but the model says %d", n, len(w.leads))
	}
}

// compareMarket compares which leads were put on the market, and which are withheld.
func (w *world) compareMarket(after string) {
	on := make(map[int64]bool)
	w.each(w.queries.fingerprints, nil, func(scan func(...any)) {
		var seq int64
		scan(&seq)
		on[seq] = true
	})
	off := make(map[int64]lead.Mark)
	w.each(w.queries.withheld, nil, func(scan func(...any)) {
		var seq, look int64
		var reason lead.Mark
		scan(&seq, &reason, &look)
		off[seq] = reason
		l := w.leads[seq-1]
		if w.activeScan != nil && l.withheld == "" && l.entered && l.status == lead.Collected && reason != "" && w.withholdMark(l) == reason {
			w.withhold(l, reason) // a duplicate is on the market
		}
		if l.checkAt = (time.Time{}); look > 0 {
			l.checkAt = time.UnixMicro(look).UTC()
		}
	})
	for _, l := range w.leads {
		duplicate, many := slices.Contains(l.marked, string(lead.Duplicate)), slices.Contains(l.marked, string(lead.ManyRequests))
		switch {
		case on[l.seq] != (l.entered && !l.erased):
			w.t.Fatalf("after %s: %s was put on the market: %v, but the model says %v", after, l.ID, on[l.seq], l.entered && !l.erased)
		case off[l.seq] != l.withheld:
			w.t.Fatalf("after %s: %s is kept off the market for %q, but the model says %q", after, l.ID, off[l.seq], l.withheld)
		case duplicate != l.duplicate || many != l.manyRequests:
			w.t.Fatalf("after %s: %s is marked %v, but the model says duplicate: %v, many requests: %v", after, l.ID, l.marked, l.duplicate, l.manyRequests)
		}
	}
}

// compareDeliveries checks that a lead has a delivery if and only if it is received, in the same state as in the model.
func (w *world) compareDeliveries(after string) {
	on := make(map[int64]bool)
	w.each(w.queries.deliveries, nil, func(scan func(...any)) {
		var seq, due, since int64
		var queue, offer string
		var step buyer.Step
		var leased bool
		scan(&seq, &queue, &step, &due, &leased, &since, &offer)
		l := w.leads[seq-1]
		on[seq] = true
		want := ""
		if l.offer != nil {
			want = l.offer.id
		}
		at := time.UnixMicro(due)
		switch {
		case l.status != lead.Received:
			w.t.Fatalf("after %s: %s is %s, and has a delivery", after, l.ID, l.status)
		case step != l.step || queue != l.queue || offer != want || leased != l.leased:
			w.t.Fatalf("after %s: %s is at %q %q %q (leased: %v), but the model says %q %q %q (%v)", after, l.ID, step, queue, offer, leased, l.step, l.queue, want, l.leased)
		case at.Before(l.due) || at.After(cmp.Or(l.latest, l.due)):
			w.t.Fatalf("after %s: %s is due in %v, but the model says in %v to %v", after, l.ID, at.Sub(w.now), l.due.Sub(w.now), l.latest.Sub(w.now))
		}
		l.isDue(at.UTC())
		if w.activeScan != nil && since >= l.since.UnixMicro() {
			l.since = time.UnixMicro(since).UTC()
		}
		if since != l.since.UnixMicro() {
			w.t.Fatalf("after %s: the round of %s began at %v, but the model says %v", after, l.ID, time.UnixMicro(since).UTC(), l.since)
		}
	})
	for _, l := range w.leads {
		if l.status == lead.Received && !on[l.seq] {
			w.t.Fatalf("after %s: %s is received, and has no delivery", after, l.ID)
		}
	}
}

func (w *world) compareOffers(after string) {
	in := make(map[string]*modelOffer)
	of := make(map[string]*modelLead)
	for _, l := range w.leads {
		for _, o := range l.offers {
			in[o.id], of[o.id] = o, l
		}
	}
	n := 0
	w.each(w.queries.offers, nil, func(scan func(...any)) {
		var id, to string
		var seq int64
		var oneStep bool
		var state buyer.OfferState
		var code buyer.Code
		scan(&id, &seq, &to, &oneStep, &state, &code)
		n++
		o, l := in[id], of[id]
		if o == nil || l.seq != seq || o.to != to || o.oneStep != oneStep {
			w.t.Fatalf("after %s: the model knows no %s of lead %d to %s", after, id, seq, to)
		}
		if state != o.state || code != o.code {
			w.t.Fatalf("after %s: %s to %s is %s (%s), but the model says %s (%s)", after, id, to, state, code, o.state, o.code)
		}
	})
	if n != len(in) {
		w.t.Fatalf("after %s: there are %d offers, but the model says %d", after, n, len(in))
	}
}

// compareHealth compares the breakers of the buyers that were not removed.
func (w *world) compareHealth(after string) {
	w.nextWake = time.Time{}
	wakes, scans := make(map[string]time.Time), make(map[string]bool)
	w.each(w.queries.healths, nil, func(scan func(...any)) {
		var id string
		var failures, opened int
		var openUntil, quietUntil, wakeAt, scanUntil int64
		scan(&id, &failures, &opened, &openUntil, &quietUntil, &wakeAt, &scanUntil)
		mb := w.buyer(id)
		if scanUntil > 0 { // a process scans the held leads, or did until it died
			if wakeAt = scanUntil; scanUntil > w.now.Add(time.Minute).UnixMicro() {
				w.t.Fatalf("after %s: if the scan for %s is interrupted, nobody takes it over for %v", after, id, time.UnixMicro(scanUntil).Sub(w.now))
			}
		}
		if until := time.UnixMicro(quietUntil); !mb.removed && (quietUntil > 0 && !until.Equal(mb.quietUntil) || quietUntil == 0 && !mb.quietUntil.IsZero()) {
			w.t.Fatalf("after %s: %s is left alone until %v, but the model says %v", after, id, until.UTC(), mb.quietUntil)
		}
		if wakes[id], scans[id] = time.UnixMicro(wakeAt).UTC(), scanUntil > 0; wakeAt == 0 {
			delete(wakes, id)
		}
		if at := time.UnixMicro(wakeAt).UTC(); wakeAt > 0 && at.Year() < 9999 && (w.nextWake.IsZero() || at.Before(w.nextWake)) {
			w.nextWake = at
		}
		if until := time.UnixMicro(openUntil); !mb.removed && (failures != mb.failures || opened != mb.opened || openUntil > 0 && !until.Equal(mb.openUntil) || openUntil == 0 && !mb.openUntil.IsZero()) {
			w.t.Fatalf("after %s: the breaker of %s has %d failures, %d trips, %v, but the model says %d, %d, %v", after, id, failures, opened, until.UTC(), mb.failures, mb.opened, mb.openUntil)
		}
	})
	w.checkWakes(after, wakes, scans)
}

// checkWakes checks that no lead is forgotten, whichever process dies now: for every held lead that a buyer would be asked about a
// scan is scheduled, at most two seconds after the buyer may be asked again.
func (w *world) checkWakes(after string, wakes map[string]time.Time, scans map[string]bool) {
	for _, l := range w.leads {
		if l.status != lead.Collected || l.withheld != "" || l.erased || w.erasedSales[l.fingerprint()] || w.mustReject(l) {
			continue
		}
		for id, b := range w.currentBuyers() {
			if !w.fits(b, l) {
				continue
			}
			wake, set := wakes[id]
			if !set {
				w.t.Fatalf("after %s: %s would be asked about %s, but nothing wakes it", after, id, l.ID)
			}
			before := l.offersTo(id)
			if len(before) == 0 || scans[id] || !before[len(before)-1].at.After(b.UpdatedAt) || !w.isAvailable(b) {
				continue
			}
			if again := askAgainAt(b, before); again.After(w.now) && wake.After(again.Add(2*time.Second)) {
				w.t.Fatalf("after %s: %s may be asked about %s again at %v, but is woken at %v", after, id, l.ID, again, wake)
			}
		}
	}
}

// readHistory checks that every change of status is allowed, and is one row.
func (w *world) readHistory(after string) {
	w.each(w.queries.history, []any{w.historySeq}, func(scan func(...any)) {
		var seq int64
		var status lead.Status
		var actor string
		scan(&w.historySeq, &seq, &status, &actor)
		l := w.leads[seq-1]
		if !l.lastStatus.MayBecome(status, actor) && !(l.erased && status == l.lastStatus) {
			w.t.Fatalf("after %s: %s went from %s to %s by the %s", after, l.ID, l.lastStatus, status, actor)
		}
		l.lastStatus = status
	})
	for _, l := range w.leads {
		if l.lastStatus != l.status {
			w.t.Fatalf("after %s: %s is %s, but its history says %s", after, l.ID, l.status, l.lastStatus)
		}
	}
}

// tally counts what happened over all seeds: a rule that was never triggered was not tested.
type tally map[string]int

func (s tally) count(format string, args ...any) { s[fmt.Sprintf(format, args...)]++ }

func (s tally) String() string {
	var text strings.Builder
	for _, sight := range inOrder(s) {
		fmt.Fprintf(&text, "\n%8d  %s", s[sight], sight)
	}
	return text.String()
}

func inOrder[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
