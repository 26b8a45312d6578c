package app

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"foyer/internal/lead"
)

// consentTexts finds consent texts by their hash. Another process on the same database may show people a text that did not
// exist when this process started, so a hash that is not in memory is looked up in the database (docs/decisions/0025).
type consentTexts struct {
	load  func(context.Context) (map[string]lead.ConsentText, error) // loads all texts; there are only a few
	cache atomic.Pointer[map[string]lead.ConsentText]

	mu      sync.Mutex
	pending *textsLoad // the load that has not started yet, nil if no caller waits for one

	loadMu   sync.Mutex // serializes loads
	lastLoad time.Time  // when the last load started
}

// textsLoad is one load of all texts, shared by every caller that asked before the load started.
type textsLoad struct {
	done  chan struct{}
	texts map[string]lead.ConsentText
	err   error
}

// minLoadInterval is the least time from one load to the next: however many hashes clients make up, they cost ten small
// queries a second.
const minLoadInterval = 100 * time.Millisecond

// newConsentTexts loads the texts that exist so far.
func newConsentTexts(ctx context.Context, load func(context.Context) (map[string]lead.ConsentText, error)) (*consentTexts, error) {
	c := &consentTexts{load: load}
	texts, err := load(ctx)
	c.cache.Store(&texts)
	return c, err
}

// find returns the text with the given hash, if there is one. It fails if the database cannot be asked: a hash that is not in
// memory may belong to a text that people are shown.
func (c *consentTexts) find(ctx context.Context, hash string) (text lead.ConsentText, found bool, err error) {
	if text, found = (*c.cache.Load())[hash]; found || !lead.MayBeConsentHash(hash) {
		return text, found, nil
	}
	l := c.nextLoad()
	select {
	case <-l.done:
	case <-ctx.Done():
		return text, false, ctx.Err()
	}
	text, found = l.texts[hash]
	return text, found, l.err
}

// text is find for a message to a buyer. A text that is lost is left blank there; the message has the hash all the same.
func (c *consentTexts) text(ctx context.Context, hash string) (string, error) {
	text, _, err := c.find(ctx, hash)
	return text.Text, err
}

// nextLoad returns the load that starts next. A load that is already running may miss what was written since.
func (c *consentTexts) nextLoad() *textsLoad {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending == nil {
		c.pending = &textsLoad{done: make(chan struct{})}
		go c.runLoad(c.pending)
	}
	return c.pending
}

// runLoad loads all texts and caches them. It uses no caller's context: a caller that disconnects must not cancel the load for
// the others.
func (c *consentTexts) runLoad(l *textsLoad) {
	c.loadMu.Lock()
	defer c.loadMu.Unlock()
	defer close(l.done)
	time.Sleep(time.Until(c.lastLoad.Add(minLoadInterval)))
	c.mu.Lock()
	c.pending, c.lastLoad = nil, time.Now()
	c.mu.Unlock()
	if l.texts, l.err = c.load(context.Background()); l.err == nil {
		for hash, text := range *c.cache.Load() { // people are shown these, even if a standby that took over lacks them
			l.texts[hash] = text
		}
		c.cache.Store(&l.texts)
	}
}
