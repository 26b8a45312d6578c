package edge_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"foyer/internal/edge"
)

func posted(text string) *edge.Document {
	return edge.NewDocument("text/plain", "public", []byte(text))
}

// Whoever asks gets what was put up last, and a copy of what hung there before is no longer good.
func TestABoardShowsWhatWasPutUpLast(t *testing.T) {
	var b edge.LiveDocument
	b.Put(posted("first"))
	_, h, _ := house(t, edge.Resource{Path: "/x", Doc: &b})
	first := ask(h, "GET", "/x")
	b.Put(posted("second"))
	second := ask(h, "GET", "/x", "If-None-Match", first.Header().Get("ETag"))
	if first.Body.String() != "first" || second.Code != http.StatusOK || second.Body.String() != "second" {
		t.Errorf("got %s, then %d %s", first.Body, second.Code, second.Body)
	}
	if again := ask(h, "GET", "/x", "If-None-Match", second.Header().Get("ETag")); again.Code != http.StatusNotModified {
		t.Errorf("what is still up: %d", again.Code)
	}
}

// Nobody sees half of one document and half of another.
func TestABoardIsReadWhileItChanges(t *testing.T) {
	var b edge.LiveDocument
	b.Put(posted("0"))
	_, h, _ := house(t, edge.Resource{Path: "/x", Doc: &b})
	var all sync.WaitGroup
	all.Go(func() {
		for i := range 200 {
			b.Put(posted(fmt.Sprint(i)))
		}
	})
	for range 4 {
		all.Go(func() {
			for range 200 {
				w := ask(h, "GET", "/x")
				if want := posted(w.Body.String()); get(want).Header().Get("ETag") != w.Header().Get("ETag") {
					t.Errorf("%s came with the ETag of another", w.Body)
				}
			}
		})
	}
	all.Wait()
}
