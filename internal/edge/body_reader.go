package edge

import (
	"io"
	"net/http"
	"sync/atomic"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

const (
	maxSmallBody   = 4 << 10 // more than a request without long notes needs
	maxLargeBodies = 512     // how many larger bodies may be read at a time: each costs memory for as long as its sender likes
)

// bodyReader reads bodies before their requests enter the gate. A client that sends slowly, or starts and never finishes, must
// not take slots from requests that are complete.
type bodyReader struct{ large atomic.Int64 }

// bodyResult is a body that was read, or why it could not be. ReadBody returns it; nothing is left to read from the connection.
type bodyResult struct {
	io.ReadCloser
	body []byte
	err  error
}

// buffer reads the body of a request into memory. It skips a body that announces too much, which is refused unread.
func (b *bodyReader) buffer(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength > lead.MaxBody {
		return
	}
	body, err := b.read(w, r)
	r.Body = &bodyResult{http.NoBody, body, err}
}

func (b *bodyReader) read(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body := make([]byte, 0, min(max(r.ContentLength+1, 512), maxSmallBody))
	from := r.Body
	if r.ContentLength < 0 { // net/http enforces an announced length
		from = http.MaxBytesReader(w, r.Body, lead.MaxBody)
	}
	body, err := readUpTo(body, from, maxSmallBody)
	if err == nil {
		defer b.large.Add(-1)
		if b.large.Add(1) > maxLargeBodies {
			w.Header().Set("Connection", "close")
			return nil, catalog.Busy()
		}
		body, err = readUpTo(body, from, lead.MaxBody+1)
	}
	if err == io.EOF {
		return body, nil
	}
	return nil, bodyError(w, r, err)
}

// readUpTo reads until the end, or until body has limit bytes.
func readUpTo(body []byte, from io.Reader, limit int) ([]byte, error) {
	for len(body) < limit {
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if err != nil {
			return body, err
		}
	}
	return body, nil
}
