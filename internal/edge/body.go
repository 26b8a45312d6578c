package edge

import (
	"errors"
	"io"
	"net"
	"net/http"
	"syscall"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// ReadBody reads a whole body within its bound.
func ReadBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.Header.Get("Content-Encoding") != "" && r.Header.Get("Content-Encoding") != "identity" {
		return nil, catalog.Compressed()
	}
	if r.ContentLength > lead.MaxBody {
		w.Header().Set("Connection", "close")
		return nil, catalog.TooLarge()
	}
	body := make([]byte, 0, max(r.ContentLength+1, 512))
	limited := http.MaxBytesReader(w, r.Body, lead.MaxBody)
	for {
		n, err := limited.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case err == io.EOF:
			return body, nil
		case errors.As(err, new(*http.MaxBytesError)):
			return nil, catalog.TooLarge()
		case err != nil:
			w.Header().Set("Connection", "close")
			return nil, cut(r, err)
		}
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
	}
}

// errLeft says that the client went away, or never sent what it announced: nobody waits for an answer.
var errLeft = errors.New("the client left")

// cut tells a client that left from one whose framing is wrong.
func cut(r *http.Request, err error) error {
	var network net.Error
	if r.Context().Err() != nil || errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) {
		return errLeft
	}
	return catalog.BrokenBody()
}
