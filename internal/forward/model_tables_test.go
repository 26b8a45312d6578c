package forward_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// compare compares the tables with the model, if anything was written since the last comparison.
func (w *world) compare(after string) {
	w.t.Helper()
	known := 0
	if w.offersRead == w.dataVersion {
		known = w.dataVersion
	}
	read := w.readTables(w.queries.all, known)
	w.compareState(after, read)
	if w.offersRead == w.dataVersion {
		return
	}
	w.offersRead = w.dataVersion
	w.compareOffers(after, read.rows["offers"])
	w.compareAttempts(after, read.rows["attempts"])
	w.compareLedger(after, read.rows["ledger"])
	w.compareReturns(after, read.rows["returns"])
}

// compareScanned compares what a step of a scan may change. The offers and attempts are most of the rows, and there are many
// such steps: those tables are compared at the end of the action.
func (w *world) compareScanned(after string) {
	w.t.Helper()
	w.compareState(after, w.readTables(w.queries.state, w.dataVersion))
}

// compareState compares all tables but those of the offers and attempts.
func (w *world) compareState(after string, read tables) {
	w.t.Helper()
	if read.version == w.dataVersion {
		return
	}
	w.dataVersion = read.version
	w.compareLeads(after, read.rows["leads"])
	w.compareMarket(after, read.rows["fingerprints"], read.rows["withheld"])
	w.compareDeliveries(after, read.rows["deliveries"])
	w.compareHealth(after, read.rows["buyer_health"])
	w.readHistory(after, read.rows["history"])
}

func (w *world) compareLeads(after string, rows []*tableRow) {
	if len(rows) != len(w.leads) {
		w.t.Fatalf("there are %d leads, but the model says %d", len(rows), len(w.leads))
	}
	stored := make([]lead.Status, len(rows))
	for _, r := range rows {
		l := w.leads[r.number()-1]
		stored[l.seq-1], l.marked = lead.Status(r.text()), strings.Split(r.text(), ",")
		r.end()
	}
	for i, l := range w.leads {
		status := stored[i]
		if w.activeScan != nil && l.status == lead.Collected && status == lead.Received {
			w.released(l)
		}
		if status != l.status {
			w.t.Fatalf("after %s: %s is %s, but the model says %s", after, l.ID, status, l.status)
		}
	}
}

// compareMarket compares which leads were put on the market, and which are withheld.
func (w *world) compareMarket(after string, fingerprints, withheld []*tableRow) {
	on := make(map[int64]bool)
	for _, r := range fingerprints {
		on[r.number()] = true
		r.end()
	}
	off := make(map[int64]lead.Mark)
	for _, r := range withheld {
		seq, reason, look := r.number(), lead.Mark(r.text()), r.number()
		r.end()
		off[seq] = reason
		l := w.leads[seq-1]
		if w.activeScan != nil && l.withheld == "" && l.entered && l.status == lead.Collected && reason != "" && w.withholdMark(l) == reason {
			w.withhold(l, reason) // a duplicate is on the market
		}
		if l.checkAt = (time.Time{}); look > 0 {
			l.checkAt = time.UnixMicro(look).UTC()
		}
	}
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
func (w *world) compareDeliveries(after string, rows []*tableRow) {
	on := make(map[int64]bool)
	for _, r := range rows {
		seq, queue, step, due, leased, since, offer := r.number(), r.text(), buyer.Step(r.text()), r.number(), r.number() == 1, r.number(), r.text()
		r.end()
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
	}
	for _, l := range w.leads {
		if l.status == lead.Received && !on[l.seq] {
			w.t.Fatalf("after %s: %s is received, and has no delivery", after, l.ID)
		}
	}
}

func (w *world) compareOffers(after string, rows []*tableRow) {
	in := make(map[string]*modelOffer)
	of := make(map[string]*modelLead)
	for _, l := range w.leads {
		for _, o := range l.offers {
			in[o.id], of[o.id] = o, l
		}
	}
	for _, r := range rows {
		id, seq, to, oneStep, state, code, price := r.text(), r.number(), r.text(), r.number() == 1, buyer.OfferState(r.text()), buyer.Code(r.text()), buyer.Cents(r.number())
		r.end()
		o, l := in[id], of[id]
		if o == nil || l.seq != seq || o.to != to || o.oneStep != oneStep || o.price != price {
			w.t.Fatalf("after %s: the model knows no %s of lead %d to %s for %s", after, id, seq, to, price)
		}
		if state != o.state || code != o.code {
			w.t.Fatalf("after %s: %s to %s is %s (%s), but the model says %s (%s)", after, id, to, state, code, o.state, o.code)
		}
	}
	if len(rows) != len(in) {
		w.t.Fatalf("after %s: there are %d offers, but the model says %d", after, len(rows), len(in))
	}
}

// compareHealth compares the breakers of the buyers that were not removed.
func (w *world) compareHealth(after string, rows []*tableRow) {
	w.nextWake = time.Time{}
	wakes, scans := make(map[string]time.Time), make(map[string]bool)
	for _, r := range rows {
		id, failures, opened := r.text(), int(r.number()), int(r.number())
		openUntil, quietUntil, wakeAt, scanUntil := r.number(), r.number(), r.number(), r.number()
		r.end()
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
	}
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
			if len(before) == 0 || scans[id] || !before[len(before)-1].at.After(b.UpdatedAt) || !w.isAvailable(b, l) {
				continue
			}
			if again := askAgainAt(b, before); again.After(w.now) && wake.After(again.Add(2*time.Second)) {
				w.t.Fatalf("after %s: %s may be asked about %s again at %v, but is woken at %v", after, id, l.ID, again, wake)
			}
		}
	}
}

// readHistory checks that every change of status is allowed, and is one row. Two rows are no change: erasing, and why a held lead is withheld from
// now on.
func (w *world) readHistory(after string, rows []*tableRow) {
	changes := make(map[int64]*tableRow)
	for _, r := range rows {
		changes[r.number()] = r
	}
	for _, seq := range slices.Sorted(maps.Keys(changes)) {
		r := changes[seq]
		l, status, actor := w.leads[r.number()-1], lead.Status(r.text()), r.text()
		r.end()
		w.historySeq = seq
		if same := status == l.lastStatus && (l.erased || status == lead.Collected && l.withheld != ""); !same && !l.lastStatus.MayBecome(status, actor) {
			w.t.Fatalf("after %s: %s went from %s to %s by the %s", after, l.ID, l.lastStatus, status, actor)
		}
		l.lastStatus = status
	}
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
