package forward_test

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// process is one of several on the same database.
type process struct {
	*forward.Forwarder
	knows   map[string]buyer.Buyer // as it read them last
	version int
	read    time.Time
	inside  map[string]int // its messages under way
	hurried bool
	st      *store.Store
	fate    fate
}

func (w *world) process() *process {
	p := &process{inside: make(map[string]int), st: w.st}
	if w.houses != nil {
		p.st = w.houses.moveIn(w)
	}
	p.Forwarder = &forward.Forwarder{
		Store: testStore{p.st, func() error { return w.meets(p) }}, Suppressed: p.st.Suppressed, Now: w.clock, Persons: w.people, LeadIDKey: []byte("the key of ids"),
		Consent: func(context.Context, string) (string, error) { return agreed.Text, nil },
		NewID:   func(prefix string, _ time.Time) string { w.ids++; return fmt.Sprintf("%s%04d", prefix, w.ids) },
		Chance:  w.chance(), Busy: func() bool { return p.hurried }, Owner: fmt.Sprintf("proc_%d", w.step), Log: slog.New(slog.DiscardHandler),
	}
	w.study(p)
	w.must(p.Start(w.t.Context()))
	w.learn(p)
	return p
}

// chance goes round, so that a seed says all.
func (w *world) chance() func() float64 {
	n := 0
	return func() float64 { n++; return float64(n%5) / 4 }
}

// refresh lets a process read the buyers.
func (w *world) refresh(p *process) {
	if p.version != w.version {
		w.study(p)
		w.must(p.Refresh(w.t.Context()))
	}
	w.learn(p)
}

// study spares a process to work out what another one has worked out already.
func (w *world) study(p *process) {
	if w.newest != nil && w.newest.version == w.version {
		p.LearnFrom(w.newest.Forwarder)
	}
}

// roster are the buyers as they are.
func (w *world) roster() map[string]buyer.Buyer {
	if w.listed == nil || w.listedAs != w.version {
		buyers, _, err := w.st.Buyers(w.t.Context())
		w.must(err)
		w.listed, w.listedAs = make(map[string]buyer.Buyer), w.version
		for _, b := range buyers {
			w.listed[b.ID] = b
		}
	}
	return w.listed
}

// isCovered says whether there is an active buyer for a lead.
func (w *world) isCovered(l lead.Lead) bool { return anyCovers(w.roster(), l) }

// learn notes what a process knows.
func (w *world) learn(p *process) {
	if p.read = w.now; p.version == w.version && p.knows != nil {
		return
	}
	p.knows, p.version, w.newest = w.roster(), w.version, p
	if all := p.Coverage().All(); len(all) != len(p.knows) {
		w.t.Fatalf("a process knows %d buyers of %d", len(all), len(p.knows))
	}
}

// somebody draws a process. None goes without a look at the buyers for a second.
func (w *world) somebody() *process {
	p := pick(w, "process", w.processes)
	if w.now.Sub(p.read) >= time.Second {
		w.refresh(p)
	}
	return p
}
