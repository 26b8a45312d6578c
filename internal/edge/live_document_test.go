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

// A request gets the document that was put last, and the ETag of an earlier one no longer matches.
func TestLiveDocumentShowsLatest(t *testing.T) {
	var doc edge.LiveDocument
	doc.Put(textDocument("first"))
	_, h, _ := newFrame(t, edge.Resource{Path: "/x", Get: doc.Get})
	first := serve(h, "GET", "/x")
	doc.Put(textDocument("second"))
	second := serve(h, "GET", "/x", "If-None-Match", first.Header().Get("ETag"))
	if first.Body.String() != "first" || second.Code != http.StatusOK || second.Body.String() != "second" {
		t.Errorf("got %s, then %d %s", first.Body, second.Code, second.Body)
	}
	if again := serve(h, "GET", "/x", "If-None-Match", second.Header().Get("ETag")); again.Code != http.StatusNotModified {
		t.Errorf("with the current ETag: %d", again.Code)
	}
}

// A response never mixes two documents.
func TestLiveDocumentConcurrentReads(t *testing.T) {
	var doc edge.LiveDocument
	doc.Put(textDocument("0"))
	_, h, _ := newFrame(t, edge.Resource{Path: "/x", Get: doc.Get})
	var all sync.WaitGroup
	all.Go(func() {
		for i := range 200 {
			doc.Put(textDocument(fmt.Sprint(i)))
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
