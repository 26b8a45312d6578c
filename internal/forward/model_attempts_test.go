package forward_test

import (
	"cmp"
	"slices"
	"time"
)

// attempt is one attempt to send a message, as recorded in the history.
type attempt struct {
	offer, kind string
	at          time.Time
	url         string
	unknown     bool // no outcome was recorded
}

// compare leaves no order open: two attempts may have the same time, and a server returns rows in any order.
func (a attempt) compare(b attempt) int {
	known := func(a attempt) int {
		if a.unknown {
			return 0
		}
		return 1
	}
	return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.offer, b.offer), cmp.Compare(a.kind, b.kind), cmp.Compare(a.url, b.url), cmp.Compare(known(a), known(b)))
}

// recordAttempt records the outcome of a message. The time of the attempt is derived from how long the answer took.
func (w *world) recordAttempt(f *flight) {
	f.of.attemptLog = append(f.of.attemptLog, attempt{offer: f.on.id, kind: f.kind, at: w.now.Add(-f.answer.reply.Took), url: f.url})
}

// recordInterrupted records a message that a process claimed, and did not settle before its lease ended.
func (w *world) recordInterrupted(l *modelLead) {
	if !l.leased {
		return
	}
	w.tally.count("a message is cut off")
	l.attemptLog = append(l.attemptLog, attempt{offer: l.last.on.id, kind: l.last.kind, at: l.last.taken, url: l.last.url, unknown: true})
	l.leased, l.last = false, nil // that process can no longer settle it
}

// compareAttempts compares the recorded attempts with the model.
func (w *world) compareAttempts(after string, rows []*tableRow) {
	all := make(map[int64][]attempt)
	for _, r := range rows {
		seq, a := r.number(), attempt{offer: r.text(), kind: r.text()}
		a.at, a.url, a.unknown = time.UnixMicro(r.number()).UTC(), r.text(), r.text() == "unknown"
		r.end()
		all[seq] = append(all[seq], a)
	}
	for _, l := range w.leads {
		slices.SortStableFunc(l.attemptLog, attempt.compare)
		got := all[l.seq]
		slices.SortStableFunc(got, attempt.compare)
		if !slices.Equal(got, l.attemptLog) {
			w.t.Fatalf("after %s: the history of %s tells of the messages\n%v, but the model says\n%v", after, l.ID, got, l.attemptLog)
		}
	}
}
