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
	life  time.Duration
	now   func() time.Time
	write func(at time.Time) *Document

	last atomic.Pointer[dated]
	mu   sync.Mutex // one writes at a time
}

type dated struct {
	*Document
	at time.Time
}

// NewTimed prepares a document that is as old as life at most. Nothing is written before it is asked for.
func NewTimed(life time.Duration, now func() time.Time, write func(at time.Time) *Document) *Timed {
	return &Timed{life: life, now: now, write: write}
}

// Get answers with the document of this moment.
func (t *Timed) Get(w http.ResponseWriter, r *http.Request) error { return t.current().Get(w, r) }

func (t *Timed) current() *Document {
	if d := t.last.Load(); t.holds(d) {
		return d.Document
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if d := t.last.Load(); t.holds(d) {
		return d.Document
	}
	at := t.now()
	d := &dated{t.write(at), at}
	t.last.Store(d)
	return d.Document
}

// holds says that a document can still be shown. One from the future was made before the clock was set back.
func (t *Timed) holds(d *dated) bool {
	if d == nil {
		return false
	}
	age := t.now().Sub(d.at)
	return age >= 0 && age < t.life
}
