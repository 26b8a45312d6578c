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

// process is one of several processes on the same database.
type process struct {
	*forward.Forwarder
	buyers      map[string]buyer.Buyer // as of its last refresh
	version     int
	refreshedAt time.Time
	inUse       map[string]int // its messages in flight to each buyer
	st          *store.Store
	failure     failureMode
}

func (w *world) process() *process {
	p := &process{inUse: make(map[string]int), st: w.st}
	if w.stores != nil {
		p.st = w.stores.acquire(w)
	}
	p.Forwarder = &forward.Forwarder{
		Store: testStore{p.st, func() error { return w.commitError(p) }}, Suppressed: p.st.Suppressed, Now: w.clock, Persons: w.persons, LeadIDKey: []byte("the key of ids"),
		Consent: func(context.Context, string) (string, error) { return agreed.Text, nil },
		NewID:   func(prefix string, _ time.Time) string { w.ids++; return fmt.Sprintf("%s%04d", prefix, w.ids) },
		Chance:  w.chance(), Owner: fmt.Sprintf("proc_%d", w.step), Log: slog.New(slog.DiscardHandler),
	}
	w.copyCoverage(p)
	w.mustRead(func() error { return p.Start(w.t.Context()) })
	w.recordRefresh(p)
	return p
}

// chance cycles through fixed values, so that a seed determines everything.
func (w *world) chance() func() float64 {
	n := 0
	return func() float64 { n++; return float64(n%5) / 4 }
}

// refresh lets a process read the buyers.
func (w *world) refresh(p *process) {
	if p.version != w.version {
		w.copyCoverage(p)
		w.mustRead(func() error { return p.Refresh(w.t.Context()) })
	}
	w.recordRefresh(p)
}

// copyCoverage saves a process computing the coverage that another one has already.
func (w *world) copyCoverage(p *process) {
	if w.newest != nil && w.newest.version == w.version {
		p.CopyCoverage(w.newest.Forwarder)
	}
}

// currentBuyers returns the stored buyers.
func (w *world) currentBuyers() map[string]buyer.Buyer {
	if w.buyerList == nil || w.buyerListVersion != w.version {
		buyers, _, err := w.st.Buyers(w.t.Context())
		w.must(err)
		w.buyerList, w.buyerListVersion = make(map[string]buyer.Buyer), w.version
		for _, b := range buyers {
			w.buyerList[b.ID] = b
		}
	}
	return w.buyerList
}

// isCovered reports whether an active buyer covers a lead.
func (w *world) isCovered(l lead.Lead) bool { return anyCovers(w.currentBuyers(), l) }

// recordRefresh records which buyers a process has read.
func (w *world) recordRefresh(p *process) {
	if p.refreshedAt = w.now; p.version == w.version && p.buyers != nil {
		return
	}
	p.buyers, p.version, w.newest = w.currentBuyers(), w.version, p
	if all := p.Coverage().All(); len(all) != len(p.buyers) {
		w.t.Fatalf("a process knows %d buyers of %d", len(all), len(p.buyers))
	}
}

// pickProcess draws a process. Each one refreshes the buyers at least once a second.
func (w *world) pickProcess() *process {
	p := pick(w, "process", w.processes)
	if w.now.Sub(p.refreshedAt) >= time.Second {
		w.refresh(p)
	}
	return p
}
