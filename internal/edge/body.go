package edge

import (
	"errors"
	"io"
	"net/http"

	"foyer/internal/lead"
)

// MaxBody is the longest body any door takes.
const MaxBody = 64 << 10

// ReadBody reads a whole body within its bound.
func ReadBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.Header.Get("Content-Encoding") != "" && r.Header.Get("Content-Encoding") != "identity" {
		return nil, &lead.Error{Kind: lead.UnsupportedMedia, Message: "Compressed bodies are not read. Send the body as it is, without Content-Encoding."}
	}
	if r.ContentLength > MaxBody {
		w.Header().Set("Connection", "close")
		return nil, tooLarge()
	}
	body := make([]byte, 0, max(r.ContentLength+1, 512))
	limited := http.MaxBytesReader(w, r.Body, MaxBody)
	for {
		n, err := limited.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case err == io.EOF:
			return body, nil
		case errors.As(err, new(*http.MaxBytesError)):
			return nil, tooLarge()
		case err != nil:
			return nil, err
		}
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
	}
}

func tooLarge() *lead.Error {
	return &lead.Error{Kind: lead.TooLarge, Message: "The body is too large: send at most 64 KiB."}
}
