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

// textSource is where words are put up, and how often somebody read it.
type textSource struct {
	mu    sync.Mutex
	texts map[string]lead.ConsentText
	err   error
	loads atomic.Int64
}

func (b *textSource) load(context.Context) (map[string]lead.ConsentText, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.loads.Add(1)
	if b.err != nil {
		return nil, b.err
	}
	return maps.Clone(b.texts), nil
}

func (b *textSource) add(text string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	words := lead.ConsentText{Version: "shown-1", Text: text}
	b.texts[words.Ref().Hash] = words
	return words.Ref().Hash
}

func newTextSource(t *testing.T) (*textSource, *consentTexts) {
	t.Helper()
	b := &textSource{texts: make(map[string]lead.ConsentText)}
	b.add("You may call me.")
	w, err := newConsentTexts(t.Context(), b.load)
	if err != nil {
		t.Fatal(err)
	}
	return b, w
}

// What people are shown stays known, also where another server took over that has not heard of it.
func TestKnownConsentTextsAreKept(t *testing.T) {
	b, w := newTextSource(t)
	shown := lead.ConsentText{Text: "You may call me."}.Ref().Hash
	b.mu.Lock()
	clear(b.texts)
	b.mu.Unlock()
	if _, found, err := w.find(t.Context(), lead.ConsentText{Text: "made up"}.Ref().Hash); found || err != nil {
		t.Fatalf("made up: %v, %v", found, err)
	}
	if _, found, err := w.find(t.Context(), shown); !found || err != nil {
		t.Errorf("what is shown: %v, %v", found, err)
	}
}

func TestConsentTextOfAnotherProcessIsLoadedOnce(t *testing.T) {
	b, w := newTextSource(t)
	hash := b.add("You may text me.")
	for range 3 {
		if text, found, err := w.find(t.Context(), hash); err != nil || !found || text.Text != "You may text me." {
			t.Fatalf("got %+v, %v, %v", text, found, err)
		}
	}
	for _, none := range []string{"", "0123abcd", hash + "0", "<b>"} {
		if _, found, err := w.find(t.Context(), none); found || err != nil {
			t.Errorf("%q: %v, %v", none, found, err)
		}
	}
	if n := b.loads.Load(); n != 2 {
		t.Errorf("it was read %d times, want once at the start and once for the new words", n)
	}
}

// TestUnknownHashesAreCheap cost a few reads and no memory, however many come; and whoever asks for real words among them
// finds those that were there before.
func TestUnknownHashesAreCheap(t *testing.T) {
	b, w := newTextSource(t)
	began := time.Now()
	var all sync.WaitGroup
	for client := range 50 {
		all.Go(func() {
			for i := range 5 {
				if _, found, err := w.find(t.Context(), fmt.Sprintf("%032x%032x", client, i)); found || err != nil {
					t.Errorf("got %v, %v", found, err)
				}
				hash := b.add(fmt.Sprint("You may call me: ", client, i))
				if _, found, err := w.find(t.Context(), hash); !found || err != nil {
					t.Errorf("words that were there are not found: %v", err)
				}
			}
		})
	}
	all.Wait()
	if n, most := b.loads.Load(), int64(time.Since(began)/minLoadInterval)+2; n > most {
		t.Errorf("it was read %d times, want at most %d", n, most)
	}
	if n := len(*w.cache.Load()); n > 1+50*5 {
		t.Errorf("%d hashes are remembered", n)
	}
}

func TestConsentTextsUnavailable(t *testing.T) {
	b, w := newTextSource(t)
	hash := b.add("You may text me.")
	away := &lead.Error{Kind: lead.Unavailable}
	b.err = away
	if _, found, err := w.find(t.Context(), hash); found || !errors.Is(err, away) {
		t.Errorf("got %v, %v", found, err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, _, err := w.find(gone, hash); !errors.Is(err, context.Canceled) && !errors.Is(err, away) {
		t.Errorf("who has hung up hears %v", err)
	}
	b.mu.Lock()
	b.err = nil
	b.mu.Unlock()
	if text, err := w.text(t.Context(), hash); err != nil || text != "You may text me." {
		t.Errorf("when it can be read again: %q, %v", text, err)
	}
}
