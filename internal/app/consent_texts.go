package app

import (
	"context"
	"maps"
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

	mu       sync.Mutex // held during a load
	loadedAt time.Time  // when the last load started
	loadErr  error      // why it failed
}

const (
	// minLoadInterval is the least time from one load to the next: however many hashes clients make up, they cost ten small
	// queries a second.
	minLoadInterval = 100 * time.Millisecond
	// loadTimeout bounds how long one load keeps others waiting.
	loadTimeout = 5 * time.Second
)

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
	err = c.reload(ctx, time.Now())
	text, found = (*c.cache.Load())[hash]
	return text, found, err
}

// text is find for a message to a buyer. A text that is lost is left blank there; the message has the hash all the same.
func (c *consentTexts) text(ctx context.Context, hash string) (string, error) {
	text, _, err := c.find(ctx, hash)
	return text.Text, err
}

// reload loads all texts, unless a load has started since the caller asked. One that started earlier may miss a text. A caller
// that disconnects must not cancel the load, because others wait for its result.
func (c *consentTexts) reload(ctx context.Context, asked time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.loadedAt.After(asked) {
		return c.loadErr
	}
	time.Sleep(time.Until(c.loadedAt.Add(minLoadInterval)))
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadTimeout)
	defer cancel()
	c.loadedAt = time.Now()
	texts, err := c.load(ctx)
	if c.loadErr = err; err != nil {
		return err
	}
	maps.Copy(texts, *c.cache.Load()) // people are shown these, even if a standby that took over lacks them
	c.cache.Store(&texts)
	return nil
}
