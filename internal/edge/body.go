package edge

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// ReadBody reads a whole request body, up to its size limit.
func ReadBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	for _, coding := range r.Header["Content-Encoding"] {
		if coding != "" && !strings.EqualFold(coding, "identity") {
			return nil, catalog.Compressed
		}
	}
	if r.ContentLength > lead.MaxBody {
		w.Header().Set("Connection", "close")
		return nil, catalog.TooLarge
	}
	body := make([]byte, 0, min(max(r.ContentLength+1, 512), maxSmallBody))
	from := r.Body
	if r.ContentLength < 0 { // net/http enforces an announced length
		from = http.MaxBytesReader(w, r.Body, lead.MaxBody)
	}
	body, err := readUpTo(body, from, maxSmallBody)
	if err == nil {
		defer largeBodies.Add(-1)
		if largeBodies.Add(1) > maxLargeBodies {
			w.Header().Set("Connection", "close")
			return nil, catalog.Busy
		}
		body, err = readUpTo(body, from, lead.MaxBody+1)
	}
	if err == io.EOF {
		return body, nil
	}
	return nil, bodyError(w, r, err)
}

const (
	maxSmallBody   = 4 << 10 // more than a request without long notes needs
	maxLargeBodies = 512     // how many larger bodies may be read at a time: each costs memory for as long as its sender likes
)

var largeBodies atomic.Int64 // being read now, by the whole process: its memory is what they use

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

// bodyError returns the error for a body that could not be read to its end.
func bodyError(w http.ResponseWriter, r *http.Request, err error) error {
	if errors.As(err, new(*http.MaxBytesError)) {
		return catalog.TooLarge
	}
	w.Header().Set("Connection", "close")
	return readError(r, err)
}

// errClientGone says that the client disconnected, or never sent the length it announced: no response is expected.
var errClientGone = errors.New("the client left")

// readError distinguishes a client that disconnected from one whose framing is wrong.
func readError(r *http.Request, err error) error {
	var network net.Error
	if r.Context().Err() != nil || errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) {
		return errClientGone
	}
	return catalog.BrokenBody
}
