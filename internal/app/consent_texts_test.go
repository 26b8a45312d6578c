package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"foyer/internal/lead"
)

// textSource is a fake table of consent texts that counts how often it is loaded.
type textSource struct {
	mu    sync.Mutex
	texts map[string]lead.ConsentText
	err   error
	loads atomic.Int64
}

func (s *textSource) load(context.Context) (map[string]lead.ConsentText, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loads.Add(1)
	if s.err != nil {
		return nil, s.err
	}
	return maps.Clone(s.texts), nil
}

func (s *textSource) add(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	consent := lead.ConsentText{Version: "shown-1", Text: text}
	s.texts[consent.Ref().Hash] = consent
	return consent.Ref().Hash
}

func newTextSource(t *testing.T) (*textSource, *consentTexts) {
	t.Helper()
	s := &textSource{texts: make(map[string]lead.ConsentText)}
	s.add("You may call me.")
	c, err := newConsentTexts(t.Context(), s.load)
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

// A text that people are shown stays known, even if a standby that lacks it took over as the database server.
func TestKnownConsentTextsAreKept(t *testing.T) {
	s, c := newTextSource(t)
	shown := lead.ConsentText{Text: "You may call me."}.Ref().Hash
	s.mu.Lock()
	clear(s.texts)
	s.mu.Unlock()
	if _, found, err := c.find(t.Context(), lead.ConsentText{Text: "made up"}.Ref().Hash); found || err != nil {
		t.Fatalf("made up: %v, %v", found, err)
	}
	if _, found, err := c.find(t.Context(), shown); !found || err != nil {
		t.Errorf("what is shown: %v, %v", found, err)
	}
}

func TestConsentTextOfAnotherProcessIsLoadedOnce(t *testing.T) {
	s, c := newTextSource(t)
	hash := s.add("You may text me.")
	for range 3 {
		if text, found, err := c.find(t.Context(), hash); err != nil || !found || text.Text != "You may text me." {
			t.Fatalf("got %+v, %v, %v", text, found, err)
		}
	}
	for _, none := range []string{"", "0123abcd", hash + "0", "<b>"} {
		if _, found, err := c.find(t.Context(), none); found || err != nil {
			t.Errorf("%q: %v, %v", none, found, err)
		}
	}
	if n := s.loads.Load(); n != 2 {
		t.Errorf("it was loaded %d times, want once at the start and once for the new text", n)
	}
}

// TestUnknownHashesAreCheap expects made-up hashes to cost a few loads and no memory, however many come. A call for a real text
// among them finds every text that existed before the call.
func TestUnknownHashesAreCheap(t *testing.T) {
	s, c := newTextSource(t)
	began := time.Now()
	var all sync.WaitGroup
	for client := range 50 {
		all.Go(func() {
			for i := range 5 {
				if _, found, err := c.find(t.Context(), fmt.Sprintf("%032x%032x", client, i)); found || err != nil {
					t.Errorf("got %v, %v", found, err)
				}
				hash := s.add(fmt.Sprint("You may call me: ", client, i))
				if _, found, err := c.find(t.Context(), hash); !found || err != nil {
					t.Errorf("a text that exists is not found: %v", err)
				}
			}
		})
	}
	all.Wait()
	if n, limit := s.loads.Load(), int64(time.Since(began)/minLoadInterval)+2; n > limit {
		t.Errorf("it was loaded %d times, want at most %d", n, limit)
	}
	if n := len(*c.cache.Load()); n > 1+50*5 {
		t.Errorf("%d hashes are remembered", n)
	}
}

func TestConsentTextsUnavailable(t *testing.T) {
	s, c := newTextSource(t)
	hash := s.add("You may text me.")
	unavailable := &lead.Error{Kind: lead.Unavailable}
	s.err = unavailable
	if _, found, err := c.find(t.Context(), hash); found || !errors.Is(err, unavailable) {
		t.Errorf("got %v, %v", found, err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := c.find(canceled, hash); !errors.Is(err, context.Canceled) && !errors.Is(err, unavailable) {
		t.Errorf("a canceled caller got %v", err)
	}
	s.mu.Lock()
	s.err = nil
	s.mu.Unlock()
	if text, err := c.text(t.Context(), hash); err != nil || text != "You may text me." {
		t.Errorf("when it can be loaded again: %q, %v", text, err)
	}
}
