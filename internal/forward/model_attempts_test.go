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

func (a attempt) compare(b attempt) int {
	return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.offer, b.offer), cmp.Compare(a.kind, b.kind))
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
func (w *world) compareAttempts(after string) {
	all := make(map[int64][]attempt)
	w.each(w.queries.attempts, nil, func(scan func(...any)) {
		var seq, at int64
		var a attempt
		var decision string
		scan(&seq, &a.offer, &a.kind, &at, &a.url, &decision)
		a.at, a.unknown = time.UnixMicro(at).UTC(), decision == "unknown"
		all[seq] = append(all[seq], a)
	})
	for _, l := range w.leads {
		slices.SortStableFunc(l.attemptLog, attempt.compare)
		got := all[l.seq]
		slices.SortStableFunc(got, attempt.compare)
		if !slices.Equal(got, l.attemptLog) {
			w.t.Fatalf("after %s: the history of %s tells of the messages\n%v, but the model says\n%v", after, l.ID, got, l.attemptLog)
		}
	}
}
