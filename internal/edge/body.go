package edge

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// ReadBody reads a whole request body, up to its size limit.
func ReadBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	for _, coding := range r.Header["Content-Encoding"] {
		if coding != "" && !strings.EqualFold(coding, "identity") {
			return nil, catalog.Compressed()
		}
	}
	if r.ContentLength > lead.MaxBody {
		w.Header().Set("Connection", "close")
		return nil, catalog.TooLarge()
	}
	if buffered, ok := r.Body.(*bodyResult); ok {
		return buffered.body, buffered.err
	}
	return new(bodyReader).read(w, r)
}

// bodyError returns the error for a body that could not be read to its end.
func bodyError(w http.ResponseWriter, r *http.Request, err error) error {
	if errors.As(err, new(*http.MaxBytesError)) {
		return catalog.TooLarge()
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
	return catalog.BrokenBody()
}
