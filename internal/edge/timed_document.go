package edge

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Timed is a document that expires, because it says when it was rendered. The first request after that renders it again; until
// then serving it costs no more than serving a Document.
type Timed struct {
	maxAge time.Duration
	now    func() time.Time
	render func(at time.Time) *Document

	cached atomic.Pointer[datedDocument]
	mu     sync.Mutex // serializes render
}

type datedDocument struct {
	*Document
	at time.Time
}

// NewTimed returns a document that is never older than maxAge. The first request renders it.
func NewTimed(maxAge time.Duration, now func() time.Time, render func(at time.Time) *Document) *Timed {
	return &Timed{maxAge: maxAge, now: now, render: render}
}

// Get writes the current document.
func (t *Timed) Get(w http.ResponseWriter, r *http.Request) error { return t.current().Get(w, r) }

func (t *Timed) current() *Document {
	if d := t.cached.Load(); t.isFresh(d) {
		return d.Document
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if d := t.cached.Load(); t.isFresh(d) {
		return d.Document
	}
	at := t.now()
	d := &datedDocument{t.render(at), at}
	t.cached.Store(d)
	return d.Document
}

// isFresh reports whether a document can still be served. One from the future was rendered before the clock was set back.
func (t *Timed) isFresh(d *datedDocument) bool {
	if d == nil {
		return false
	}
	age := t.now().Sub(d.at)
	return age >= 0 && age < t.maxAge
}
