package forward_test

import (
	"slices"
	"time"

	"pgregory.net/rapid"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// manyRounds is more than any end takes.
const manyRounds = 3000

// end lets everything come to its end, with buyers that all accept, all have enough or all are silent, and looks where the leads
// are.
func (w *world) end(r *rapid.T) {
	if rapid.Bool().Draw(r, "walks end") {
		for w.walking() {
			w.walkAll(w.walks[0].p)
		}
	}
	w.leave()
	w.restart()
	answering := true
	switch rapid.IntRange(0, 5).Draw(r, "ending") {
	default:
		w.script = answers[0]
	case 3:
		w.script = enough
	case 4, 5:
		answering = false
		gone := silence(rapid.Bool().Draw(r, "sent"))
		w.script = &gone
		for _, x := range w.buyers {
			if !x.removed {
				w.pauseOne(x)
			}
		}
	}
	w.settleAll()
	for _, l := range w.leads {
		w.ended(l, answering)
	}
	w.tick(holdDays + time.Hour)
	w.closeHeld()
	w.compare("hold-days")
	w.leave()
}

// settleAll runs one process from alarm to alarm until there is none.
func (w *world) settleAll() {
	p := w.processes[0]
	p.hurried = false
	for range manyRounds {
		w.passBy(p)
		w.compare("the end")
		next := w.alarm
		for _, l := range w.leads {
			if !l.lookAt.IsZero() && (next.IsZero() || l.lookAt.Before(next)) {
				next = l.lookAt
			}
			if l.status == lead.Received && (next.IsZero() || l.due.Before(next)) {
				next = l.due
			}
		}
		if next.IsZero() {
			return
		}
		w.tick(max(next.Sub(w.now), time.Millisecond))
	}
	w.t.Fatalf("there is no end: the next look is due at %v, after %v", w.alarm, w.now)
}

// ended holds that nothing was forgotten: a lead is held only where there is nobody left who might take it.
func (w *world) ended(l *request, answering bool) {
	for _, o := range l.offers {
		if o.state == buyer.OfferOpen {
			w.t.Fatalf("%s is over (%s), but %s to %s is open", l.ID, l.status, o.id, o.to)
		}
	}
	acknowledged := slices.ContainsFunc(l.offers, func(o *proposal) bool { return o.state == buyer.OfferDelivered })
	mayHave := slices.ContainsFunc(l.offers, func(o *proposal) bool { return o.state == buyer.OfferLost })
	switch l.status {
	case lead.Forwarded, lead.Errored, lead.Rejected, lead.CallToConnect:
	case lead.Collected:
		if l.withheld != "" {
			w.withheldRightly(l)
			break
		}
		if w.forgot[l.print()] {
			break // since an erasure it may suit somebody; that alone wakes nobody
		}
		for _, id := range inOrder(w.processes[0].knows) {
			if b := w.processes[0].knows[id]; answering && w.suits(b, l) {
				w.t.Fatalf("%s was forgotten: %s would be asked about it", l.ID, id)
			}
		}
	default:
		w.t.Fatalf("%s is %s at the end", l.ID, l.status)
	}
	if !l.erased && (acknowledged != (l.status == lead.Forwarded) || mayHave != (l.status == lead.Errored)) {
		w.t.Fatalf("%s is %s, but acknowledged: %v, may be with a buyer: %v", l.ID, l.status, acknowledged, mayHave)
	}
	w.seen.count("at the end a lead is %s", l.status)
}
