package edge

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Timed is a document that holds for a while, because it says when it was made. It is made again when it is asked for after
// that; until then a look at it costs no more than a look at a document.
type Timed struct {
	maxAge  time.Duration
	now   func() time.Time
	render func(at time.Time) *Document

	cached atomic.Pointer[datedDocument]
	mu   sync.Mutex // one writes at a time
}

type datedDocument struct {
	*Document
	at time.Time
}

// NewTimed prepares a document that is as old as life at most. Nothing is written before it is asked for.
func NewTimed(life time.Duration, now func() time.Time, write func(at time.Time) *Document) *Timed {
	return &Timed{maxAge: life, now: now, render: write}
}

// Get answers with the document of this moment.
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

// isFresh says that a document can still be shown. One from the future was made before the clock was set back.
func (t *Timed) isFresh(d *datedDocument) bool {
	if d == nil {
		return false
	}
	age := t.now().Sub(d.at)
	return age >= 0 && age < t.maxAge
}
