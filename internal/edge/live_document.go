package edge

import (
	"net/http"
	"sync/atomic"
)

// Prepared is an answer that was written before anybody asked: a Document, or a Board.
type Prepared interface {
	Get(w http.ResponseWriter, r *http.Request) error
}

// LiveDocument shows a document that changes now and then: whoever asks gets the one that was put up last. To look at it costs
// no more than to look at a document.
type LiveDocument struct{ current atomic.Pointer[Document] }

// Put shows another document from now on. The first has to be up before anybody asks.
func (b *LiveDocument) Put(d *Document) { b.current.Store(d) }

// Get answers with the document that is up.
func (b *LiveDocument) Get(w http.ResponseWriter, r *http.Request) error {
	return b.current.Load().Get(w, r)
}
