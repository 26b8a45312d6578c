package forward_test

import (
	"slices"
	"time"

	"pgregory.net/rapid"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// maxRounds is more than any run needs.
const maxRounds = 3000

// end runs everything to its end, with buyers that all accept, all have reached their caps or all do not answer, and checks
// the leads.
func (w *world) end(r *rapid.T) {
	if rapid.Bool().Draw(r, "scans end") {
		for w.hasScans() {
			w.finishScans(w.scans[0].p)
		}
	}
	w.keepStores()
	w.restart()
	answering := true
	switch rapid.IntRange(0, 5).Draw(r, "ending") {
	default:
		w.scripted = answers[0]
	case 3:
		w.scripted = capReached
	case 4, 5:
		answering = false
		gone := noAnswer(rapid.Bool().Draw(r, "sent"))
		w.scripted = &gone
		for _, mb := range w.buyers {
			if !mb.removed {
				w.pauseOne(mb)
			}
		}
	}
	w.runToEnd()
	for _, l := range w.leads {
		w.checkEnded(l, answering)
	}
	w.tick(holdDays + time.Hour)
	w.closeHeld()
	w.compare("hold-days")
	w.compareCounts()
	w.closeStatements()
	w.keepStores()
}

// runToEnd runs one process from one due time to the next until there is none.
func (w *world) runToEnd() {
	p := w.processes[0]
	for range maxRounds {
		w.runOnce(p)
		w.compare("the end")
		next := w.nextWake
		for _, l := range w.leads {
			if !l.checkAt.IsZero() && (next.IsZero() || l.checkAt.Before(next)) {
				next = l.checkAt
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
	w.t.Fatalf("there is no end: the next look is due at %v, after %v", w.nextWake, w.now)
}

// checkEnded checks that no lead was forgotten: a lead is held only if no buyer is left that might take it.
func (w *world) checkEnded(l *modelLead, answering bool) {
	for _, o := range l.offers {
		if o.state == buyer.OfferOpen {
			w.t.Fatalf("%s is over (%s), but %s to %s is open", l.ID, l.status, o.id, o.to)
		}
	}
	acknowledged := slices.ContainsFunc(l.offers, func(o *modelOffer) bool { return o.state == buyer.OfferDelivered || o.state == buyer.OfferReturned })
	mayHave := slices.ContainsFunc(l.offers, func(o *modelOffer) bool { return o.state == buyer.OfferLost })
	switch l.status {
	case lead.Forwarded, lead.Errored, lead.Rejected, lead.CallToConnect:
	case lead.Collected:
		if l.withheld != "" {
			w.checkWithheld(l)
			break
		}
		if w.erasedSales[l.fingerprint()] {
			break // after an erasure it may fit a buyer again, but an erasure schedules no scan
		}
		for _, id := range inOrder(w.processes[0].buyers) {
			if b := w.processes[0].buyers[id]; answering && w.fits(b, l) {
				w.t.Fatalf("%s was forgotten: %s would be asked about it", l.ID, id)
			}
		}
	default:
		w.t.Fatalf("%s is %s at the end", l.ID, l.status)
	}
	if !l.erased && (acknowledged != (l.status == lead.Forwarded) || mayHave != (l.status == lead.Errored)) {
		w.t.Fatalf("%s is %s, but acknowledged: %v, may be with a buyer: %v", l.ID, l.status, acknowledged, mayHave)
	}
	w.tally.count("at the end a lead is %s", l.status)
}
