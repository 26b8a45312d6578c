package web

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/limit"
)

// A consent page is rendered once, and a client that has it gets 304.
func TestConsentPageIsRenderedOnce(t *testing.T) {
	s, asked := newSite(t), atomic.Int64{}
	text := brand.ConsentShown()
	s.Intake = &intake.Service{Limiter: limit.Off{}, ConsentLookup: func(context.Context, string) (lead.ConsentText, bool, error) {
		return text, asked.Add(1) > 0, nil
	}}
	server := serve(t, s)
	var first string
	for i := range 5 {
		answer, body := ask(t, server, "GET", "/consent/"+text.Ref().Hash, browser)
		if answer.StatusCode != http.StatusOK || i > 0 && answer.Header.Get("Etag") != first || !strings.Contains(body, "They are in use today") {
			t.Fatalf("got %d %v", answer.StatusCode, answer.Header)
		}
		first = answer.Header.Get("Etag")
	}
	if asked.Load() != 1 {
		t.Errorf("the words were looked for %d times", asked.Load())
	}
	if answer, _ := ask(t, server, "GET", "/consent/"+text.Ref().Hash, "If-None-Match: "+first); answer.StatusCode != http.StatusNotModified {
		t.Errorf("a client that has it: %d", answer.StatusCode)
	}
}

// While a request with an unknown hash waits for the database, pages in the cache are served.
func TestConsentPageInTheCacheNeedsNoDatabase(t *testing.T) {
	s, waits, release := newSite(t), make(chan struct{}), make(chan struct{})
	known := brand.ConsentShown()
	s.Intake = &intake.Service{Limiter: limit.Off{}, ConsentLookup: func(_ context.Context, hash string) (lead.ConsentText, bool, error) {
		if hash == known.Ref().Hash {
			return known, true, nil
		}
		close(waits)
		<-release
		return lead.ConsentText{}, false, nil
	}}
	server := serve(t, s)
	ask(t, server, "GET", "/consent/"+known.Ref().Hash, browser)
	var wg sync.WaitGroup
	wg.Go(func() {
		if answer, err := http.Get(server.URL + "/consent/" + strings.Repeat("0", 64)); err != nil || answer.StatusCode != http.StatusNotFound {
			t.Error(answer, err)
		}
	})
	<-waits
	if answer, _ := ask(t, server, "GET", "/consent/"+known.Ref().Hash, browser); answer.StatusCode != http.StatusOK {
		t.Errorf("words that are drawn: %d", answer.StatusCode)
	}
	close(release)
	wg.Wait()
}
