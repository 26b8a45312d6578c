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

// While many requests with unknown hashes wait for the database, more are refused, but pages in the cache are served.
func TestUnknownConsentHashesAreLimited(t *testing.T) {
	s, release := newSite(t), make(chan struct{})
	known := brand.ConsentShown()
	var asked atomic.Int64
	s.Intake = &intake.Service{Limiter: limit.Off{}, ConsentLookup: func(_ context.Context, hash string) (lead.ConsentText, bool, error) {
		if hash == known.Ref().Hash {
			return known, true, nil
		}
		asked.Add(1)
		<-release
		return lead.ConsentText{}, false, nil
	}}
	server := serve(t, s)
	if answer, _ := ask(t, server, "GET", "/consent/"+known.Ref().Hash, browser); answer.StatusCode != http.StatusOK {
		t.Fatal(answer.StatusCode)
	}
	var wg sync.WaitGroup
	var missing, busy atomic.Int64
	for range 200 {
		wg.Go(func() {
			answer, err := http.Get(server.URL + "/consent/" + strings.Repeat("0", 64))
			if err != nil {
				t.Error(err)
				return
			}
			defer answer.Body.Close()
			switch answer.StatusCode {
			case http.StatusNotFound:
				missing.Add(1)
			case http.StatusServiceUnavailable:
				if busy.Add(1) == 200-64 {
					close(release)
				}
			}
		})
	}
	if answer, _ := ask(t, server, "GET", "/consent/"+known.Ref().Hash, browser); answer.StatusCode != http.StatusOK {
		t.Errorf("words that are drawn: %d", answer.StatusCode)
	}
	wg.Wait()
	if missing.Load() != 64 || asked.Load() != 64 {
		t.Errorf("%d waited, %d were told that there are none, and %d that it is busy", asked.Load(), missing.Load(), busy.Load())
	}
}
