package edge_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"foyer/internal/edge"
)

func textDocument(text string) *edge.Document {
	return edge.NewDocument("text/plain", "public", []byte(text))
}

// Whoever asks gets what was put up last, and a copy of what hung there before is no longer good.
func TestLiveDocumentShowsLatest(t *testing.T) {
	var b edge.LiveDocument
	b.Put(textDocument("first"))
	_, h, _ := newFrame(t, edge.Resource{Path: "/x", Doc: &b})
	first := serve(h, "GET", "/x")
	b.Put(textDocument("second"))
	second := serve(h, "GET", "/x", "If-None-Match", first.Header().Get("ETag"))
	if first.Body.String() != "first" || second.Code != http.StatusOK || second.Body.String() != "second" {
		t.Errorf("got %s, then %d %s", first.Body, second.Code, second.Body)
	}
	if again := serve(h, "GET", "/x", "If-None-Match", second.Header().Get("ETag")); again.Code != http.StatusNotModified {
		t.Errorf("what is still up: %d", again.Code)
	}
}

// Nobody sees half of one document and half of another.
func TestLiveDocumentConcurrentReads(t *testing.T) {
	var b edge.LiveDocument
	b.Put(textDocument("0"))
	_, h, _ := newFrame(t, edge.Resource{Path: "/x", Doc: &b})
	var all sync.WaitGroup
	all.Go(func() {
		for i := range 200 {
			b.Put(textDocument(fmt.Sprint(i)))
		}
	})
	for range 4 {
		all.Go(func() {
			for range 200 {
				w := serve(h, "GET", "/x")
				if want := textDocument(w.Body.String()); get(want).Header().Get("ETag") != w.Header().Get("ETag") {
					t.Errorf("%s came with the ETag of another", w.Body)
				}
			}
		})
	}
	all.Wait()
}
