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

// questions are what is read of the books after each step.
type questions struct{ leads, errands, offers, standings, history, prints, withheld, attempts, edition *sql.Stmt }

// prepare gets the questions ready. What tells whether anybody wrote is the engine's own.
func (q *questions) prepare(t *testing.T, db *sql.DB, edition string) {
	t.Helper()
	for text, into := range map[string]**sql.Stmt{
		`SELECT seq, status, marks FROM leads ORDER BY seq`: &q.leads,
		`SELECT lead_seq, lane, step, due_at, owner <> '', since, offer_id FROM deliveries
			UNION ALL SELECT lead_seq, '', 'ask', created_at, '' <> '', created_at, '' FROM fresh JOIN leads ON seq = lead_seq`: &q.errands,
		`SELECT id, lead_seq, buyer_id, one_step, state, code FROM offers ORDER BY id`:                  &q.offers,
		`SELECT buyer_id, failures, trips, shut_until, quiet_until, wake_at, walk_until FROM standings`: &q.standings,
		`SELECT lead_seq, reason, look_at FROM withheld`:                                                &q.withheld,
		`SELECT lead_seq, offer_id, kind, at, url, decision FROM attempts`:                              &q.attempts,
		`SELECT seq, lead_seq, status, actor FROM history WHERE seq > $1 ORDER BY seq`:                  &q.history,
		edition:                       &q.edition,
		`SELECT lead_seq FROM prints`: &q.prints,
	} {
		var err error
		if *into, err = db.Prepare(text); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { (*into).Close() })
	}
}

// each asks a question.
func (w *world) each(q *sql.Stmt, args []any, do func(scan func(...any))) {
	rows, err := q.Query(args...)
	w.must(err)
	defer rows.Close()
	for rows.Next() {
		do(func(dest ...any) { w.must(rows.Scan(dest...)) })
	}
	w.must(rows.Err())
}

// compare holds the books against the model.
func (w *world) compare(after string) {
	w.t.Helper()
	if !w.changed() {
		return
	}
	w.compareLeads(after)
	w.compareMarket(after)
	w.compareErrands(after)
	w.compareOffers(after)
	w.compareStandings(after)
	w.readHistory(after)
	w.compareTries(after)
}

// changed says whether anybody wrote since the last look.
func (w *world) changed() bool {
	before := w.edition
	w.each(w.questions.edition, nil, func(scan func(...any)) { scan(&w.edition) })
	return w.edition != before
}

func (w *world) compareLeads(after string) {
	n := 0
	w.each(w.questions.leads, nil, func(scan func(...any)) {
		var seq int
		var status lead.Status
		var marks string
		scan(&seq, &status, &marks)
		l := w.leads[seq-1]
		n++
		if w.walker != nil && l.status == lead.Collected && status == lead.Received {
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

// compareMarket holds what was put on the market, and what is kept off it.
func (w *world) compareMarket(after string) {
	on := make(map[int64]bool)
	w.each(w.questions.prints, nil, func(scan func(...any)) {
		var seq int64
		scan(&seq)
		on[seq] = true
	})
	off := make(map[int64]lead.Mark)
	w.each(w.questions.withheld, nil, func(scan func(...any)) {
		var seq, look int64
		var reason lead.Mark
		scan(&seq, &reason, &look)
		off[seq] = reason
		l := w.leads[seq-1]
		if w.walker != nil && l.withheld == "" && l.entered && l.status == lead.Collected && reason != "" && w.keptOff(l) == reason {
			w.withhold(l, reason) // it met another of its kind
		}
		if l.lookAt = (time.Time{}); look > 0 {
			l.lookAt = time.UnixMicro(look).UTC()
		}
	})
	for _, l := range w.leads {
		twin, many := slices.Contains(l.marked, string(lead.Duplicate)), slices.Contains(l.marked, string(lead.ManyRequests))
		switch {
		case on[l.seq] != (l.entered && !l.erased):
			w.t.Fatalf("after %s: %s was put on the market: %v, but the model says %v", after, l.ID, on[l.seq], l.entered && !l.erased)
		case off[l.seq] != l.withheld:
			w.t.Fatalf("after %s: %s is kept off the market for %q, but the model says %q", after, l.ID, off[l.seq], l.withheld)
		case twin != l.twin || many != l.many:
			w.t.Fatalf("after %s: %s is marked %v, but the model says duplicate: %v, many requests: %v", after, l.ID, l.marked, l.twin, l.many)
		}
	}
}

// compareErrands holds that a lead has an errand if, and only if, it is received, and that it stands where the model has it.
func (w *world) compareErrands(after string) {
	on := make(map[int64]bool)
	w.each(w.questions.errands, nil, func(scan func(...any)) {
		var seq, due, since int64
		var lane, offer string
		var step buyer.Step
		var leased bool
		scan(&seq, &lane, &step, &due, &leased, &since, &offer)
		l := w.leads[seq-1]
		on[seq] = true
		want := ""
		if l.offer != nil {
			want = l.offer.id
		}
		at := time.UnixMicro(due)
		switch {
		case l.status != lead.Received:
			w.t.Fatalf("after %s: %s is %s, and has an errand", after, l.ID, l.status)
		case step != l.step || lane != l.lane || offer != want || leased != l.leased:
			w.t.Fatalf("after %s: %s is at %q %q %q (leased: %v), but the model says %q %q %q (%v)", after, l.ID, step, lane, offer, leased, l.step, l.lane, want, l.leased)
		case at.Before(l.due) || at.After(cmp.Or(l.latest, l.due)):
			w.t.Fatalf("after %s: %s is due in %v, but the model says in %v to %v", after, l.ID, at.Sub(w.now), l.due.Sub(w.now), l.latest.Sub(w.now))
		}
		l.isDue(at.UTC())
		if w.walker != nil && since >= l.since.UnixMicro() {
			l.since = time.UnixMicro(since).UTC()
		}
		if since != l.since.UnixMicro() {
			w.t.Fatalf("after %s: the round of %s began at %v, but the model says %v", after, l.ID, time.UnixMicro(since).UTC(), l.since)
		}
	})
	for _, l := range w.leads {
		if l.status == lead.Received && !on[l.seq] {
			w.t.Fatalf("after %s: %s is received, and has no errand", after, l.ID)
		}
	}
}

func (w *world) compareOffers(after string) {
	in := make(map[string]*proposal)
	of := make(map[string]*request)
	for _, l := range w.leads {
		for _, o := range l.offers {
			in[o.id], of[o.id] = o, l
		}
	}
	n := 0
	w.each(w.questions.offers, nil, func(scan func(...any)) {
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

// compareStandings holds the breakers of the buyers that are there.
func (w *world) compareStandings(after string) {
	w.alarm = time.Time{}
	alarms, walks := make(map[string]time.Time), make(map[string]bool)
	w.each(w.questions.standings, nil, func(scan func(...any)) {
		var id string
		var failures, trips int
		var shut, quiet, wake, walk int64
		scan(&id, &failures, &trips, &shut, &quiet, &wake, &walk)
		x := w.party(id)
		if walk > 0 { // a process looks through what is held, or did until it died
			if wake = walk; walk > w.now.Add(time.Minute).UnixMicro() {
				w.t.Fatalf("after %s: if the walk for %s is interrupted, nobody takes it over for %v", after, id, time.UnixMicro(walk).Sub(w.now))
			}
		}
		if until := time.UnixMicro(quiet); !x.removed && (quiet > 0 && !until.Equal(x.quiet) || quiet == 0 && !x.quiet.IsZero()) {
			w.t.Fatalf("after %s: %s is left alone until %v, but the model says %v", after, id, until.UTC(), x.quiet)
		}
		if alarms[id], walks[id] = time.UnixMicro(wake).UTC(), walk > 0; wake == 0 {
			delete(alarms, id)
		}
		if at := time.UnixMicro(wake).UTC(); wake > 0 && at.Year() < 9999 && (w.alarm.IsZero() || at.Before(w.alarm)) {
			w.alarm = at
		}
		if until := time.UnixMicro(shut); !x.removed && (failures != x.failures || trips != x.trips || shut > 0 && !until.Equal(x.shut) || shut == 0 && !x.shut.IsZero()) {
			w.t.Fatalf("after %s: the breaker of %s has %d failures, %d trips, %v, but the model says %d, %d, %v", after, id, failures, trips, until.UTC(), x.failures, x.trips, x.shut)
		}
	})
	w.isWoken(after, alarms, walks)
}

// isWoken holds that nothing is forgotten, whoever dies now: for every held lead that a buyer would be asked about there is an
// alarm, and it rings when the buyer may be asked again, give or take a second.
func (w *world) isWoken(after string, alarms map[string]time.Time, walks map[string]bool) {
	for _, l := range w.leads {
		if l.status != lead.Collected || l.withheld != "" || l.erased || w.forgot[l.print()] || w.isBarred(l) {
			continue
		}
		for id, b := range w.roster() {
			if !w.suits(b, l) {
				continue
			}
			alarm, set := alarms[id]
			if !set {
				w.t.Fatalf("after %s: %s would be asked about %s, but nothing wakes it", after, id, l.ID)
			}
			before := l.offersTo(id)
			if len(before) == 0 || walks[id] || !before[len(before)-1].at.After(b.UpdatedAt) || !w.isThere(b) {
				continue
			}
			if again := againAt(b, before); again.After(w.now) && alarm.After(again.Add(2*time.Second)) {
				w.t.Fatalf("after %s: %s may be asked about %s again at %v, but is woken at %v", after, id, l.ID, again, alarm)
			}
		}
	}
}

// readHistory holds that every change of status is one that leads make, and one row.
func (w *world) readHistory(after string) {
	w.each(w.questions.history, []any{w.said}, func(scan func(...any)) {
		var seq int64
		var status lead.Status
		var actor string
		scan(&w.said, &seq, &status, &actor)
		l := w.leads[seq-1]
		if !l.told.MayBecome(status, actor) && !(l.erased && status == l.told) {
			w.t.Fatalf("after %s: %s went from %s to %s by the %s", after, l.ID, l.told, status, actor)
		}
		l.told = status
	})
	for _, l := range w.leads {
		if l.told != l.status {
			w.t.Fatalf("after %s: %s is %s, but its history says %s", after, l.ID, l.status, l.told)
		}
	}
}

// sights count what happened over all seeds: a rule that was never tried was not tested.
type sights map[string]int

func (s sights) count(format string, args ...any) { s[fmt.Sprintf(format, args...)]++ }

func (s sights) String() string {
	var text strings.Builder
	for _, sight := range inOrder(s) {
		fmt.Fprintf(&text, "\n%8d  %s", s[sight], sight)
	}
	return text.String()
}

func inOrder[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
