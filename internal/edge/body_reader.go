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
	maxLargeBodies = 512     // how many larger bodies may be on their way: each costs memory for as long as its sender likes
)

// bodyReader takes bodies in before their requests ask for a place at the gate. A client that sends slowly, or begins and
// never ends, must not keep the places of those that have something to say.
type bodyReader struct{ large atomic.Int64 }

// bodyResult is a body that was taken in, or why it could not be. ReadBody has it; there is nothing to be read any more.
type bodyResult struct {
	io.ReadCloser
	body []byte
	err  error
}

// buffer reads the body of a request. One that announces too much is left alone: it is refused unread.
func (a *bodyReader) buffer(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength > lead.MaxBody {
		return
	}
	body, err := a.read(w, r)
	r.Body = &bodyResult{http.NoBody, body, err}
}

func (a *bodyReader) read(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body := make([]byte, 0, min(max(r.ContentLength+1, 512), maxSmallBody))
	from := r.Body
	if r.ContentLength < 0 { // net/http holds a client to the length that it announces
		from = http.MaxBytesReader(w, r.Body, lead.MaxBody)
	}
	body, err := readUpTo(body, from, maxSmallBody)
	if err == nil {
		defer a.large.Add(-1)
		if a.large.Add(1) > maxLargeBodies {
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

// readUpTo reads until there is no more, or as much as asked for.
func readUpTo(body []byte, from io.Reader, most int) ([]byte, error) {
	for len(body) < most {
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
