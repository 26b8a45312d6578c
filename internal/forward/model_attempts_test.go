package forward_test

import (
	"cmp"
	"slices"
	"time"
)

// try is one attempt to send a message, as the history tells it.
type try struct {
	offer, kind string
	at          time.Time
	url         string
	unknown     bool // nobody noted what came of it
}

func (a try) compare(b try) int {
	return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.offer, b.offer), cmp.Compare(a.kind, b.kind))
}

// tried notes what came of a message. It is told when it was taken from the time that the answer took.
func (w *world) tried(f *flight) {
	f.of.tries = append(f.of.tries, try{offer: f.on.id, kind: f.kind, at: w.now.Add(-f.said.reply.Took), url: f.url})
}

// cutOff notes a message that a process took to be sent, and of which nothing was heard until its lease was over.
func (w *world) cutOff(l *request) {
	if !l.leased {
		return
	}
	w.seen.count("a message is cut off")
	l.tries = append(l.tries, try{offer: l.last.on.id, kind: l.last.kind, at: l.last.taken, url: l.last.url, unknown: true})
	l.leased, l.last = false, nil // whoever had it settles it no more
}

// compareTries holds the history of messages against the model.
func (w *world) compareTries(after string) {
	all := make(map[int64][]try)
	w.each(w.questions.attempts, nil, func(scan func(...any)) {
		var seq, at int64
		var x try
		var decision string
		scan(&seq, &x.offer, &x.kind, &at, &x.url, &decision)
		x.at, x.unknown = time.UnixMicro(at).UTC(), decision == "unknown"
		all[seq] = append(all[seq], x)
	})
	for _, l := range w.leads {
		slices.SortStableFunc(l.tries, try.compare)
		got := all[l.seq]
		slices.SortStableFunc(got, try.compare)
		if !slices.Equal(got, l.tries) {
			w.t.Fatalf("after %s: the history of %s tells of the messages\n%v, but the model says\n%v", after, l.ID, got, l.tries)
		}
	}
}
