package app

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"foyer/internal/lead"
)

// consentTexts finds the words of consent by their hash. Another process on the same database may ask people with words that
// were not there when this one started, so the database is asked about what is not in memory (docs/decisions/0025).
type consentTexts struct {
	load  func(context.Context) (map[string]lead.ConsentText, error) // all there are: a handful
	cache atomic.Pointer[map[string]lead.ConsentText]

	mu   sync.Mutex
	pending *textsLoad // the one that has not begun, while somebody waits for one

	loadMu  sync.Mutex // one reads at a time
	lastLoad time.Time  // when the last reading did
}

// textsLoad is one look at all words, for everybody who asked before it began.
type textsLoad struct {
	done  chan struct{}
	texts map[string]lead.ConsentText
	err   error
}

// minLoadInterval is the least time from one reading to the next: whatever hashes clients make up, they cost ten small
// questions a second.
const minLoadInterval = 100 * time.Millisecond

// newConsentTexts reads what is known so far.
func newConsentTexts(ctx context.Context, read func(context.Context) (map[string]lead.ConsentText, error)) (*consentTexts, error) {
	w := &consentTexts{load: read}
	texts, err := read(ctx)
	w.cache.Store(&texts)
	return w, err
}

// find gives the words behind a hash, if there are any. Where that cannot be known now it fails: a hash that is not in
// memory may be of words that people are shown.
func (w *consentTexts) find(ctx context.Context, hash string) (text lead.ConsentText, found bool, err error) {
	if text, found = (*w.cache.Load())[hash]; found || !lead.MayBeConsentHash(hash) {
		return text, found, nil
	}
	r := w.nextLoad()
	select {
	case <-r.done:
	case <-ctx.Done():
		return text, false, ctx.Err()
	}
	text, found = r.texts[hash]
	return text, found, r.err
}

// text is find for a message to a buyer. Words that are lost leave it blank; the hash is there all the same.
func (w *consentTexts) text(ctx context.Context, hash string) (string, error) {
	text, _, err := w.find(ctx, hash)
	return text.Text, err
}

// nextLoad gives the reading that begins next. One that is under way may miss what was written since.
func (w *consentTexts) nextLoad() *textsLoad {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.pending == nil {
		w.pending = &textsLoad{done: make(chan struct{})}
		go w.runLoad(w.pending)
	}
	return w.pending
}

// runLoad reads all words, and remembers them. It is nobody's own: whoever hangs up takes it from no other.
func (w *consentTexts) runLoad(r *textsLoad) {
	w.loadMu.Lock()
	defer w.loadMu.Unlock()
	defer close(r.done)
	time.Sleep(time.Until(w.lastLoad.Add(minLoadInterval)))
	w.mu.Lock()
	w.pending, w.lastLoad = nil, time.Now()
	w.mu.Unlock()
	if r.texts, r.err = w.load(context.Background()); r.err == nil {
		for hash, text := range *w.cache.Load() { // also what a server that took over has not heard of: people are shown it
			r.texts[hash] = text
		}
		w.cache.Store(&r.texts)
	}
}
