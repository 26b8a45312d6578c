package edge_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"foyer/internal/edge"
	"foyer/internal/lead"
)

func TestReadBody(t *testing.T) {
	for _, tc := range []struct {
		name     string
		size     int
		chunked  bool
		encoding string
		refused  lead.Kind
	}{
		{name: "nothing", size: 0},
		{name: "one byte", size: 1},
		{name: "just what is read at once", size: 512},
		{name: "in chunks", size: 5000, chunked: true},
		{name: "the longest", size: 65536},
		{name: "the longest, in chunks", size: 65536, chunked: true},
		{name: "one byte more", size: 65537, refused: lead.TooLarge},
		{name: "one byte more, in chunks", size: 65537, chunked: true, refused: lead.TooLarge},
		{name: "much more", size: 1 << 20, refused: lead.TooLarge},
		{name: "much more, in chunks", size: 1 << 20, chunked: true, refused: lead.TooLarge},
		{name: "compressed", size: 10, encoding: "gzip", refused: lead.UnsupportedMedia},
		{name: "in an unknown coding", size: 10, encoding: "x", refused: lead.UnsupportedMedia},
		{name: "identity coding", size: 10, encoding: "identity"},
		{name: "identity coding, capitalized", size: 10, encoding: "Identity"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			want := strings.Repeat("x", tc.size)
			var got []byte
			var err error
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if (r.ContentLength < 0) != tc.chunked {
					t.Errorf("the length is announced as %d", r.ContentLength)
				}
				got, err = edge.ReadBody(w, r)
			}))
			defer server.Close()
			post(t, server.URL, want, tc.chunked, tc.encoding)
			server.Close() // waits for the handler
			var refusal *lead.Error
			switch {
			case tc.refused == "" && (err != nil || string(got) != want):
				t.Errorf("got %d bytes, %v; want %d", len(got), err, tc.size)
			case tc.refused != "" && (!errors.As(err, &refusal) || refusal.Kind != tc.refused):
				t.Errorf("got %v, want kind %s", err, tc.refused)
			}
		})
	}
}

// post sends a body, and ignores a response that comes before all of it is sent.
func post(t *testing.T, url, body string, chunked bool, encoding string) {
	t.Helper()
	var reader io.Reader = strings.NewReader(body)
	if chunked {
		reader = io.MultiReader(reader) // hides the length
	}
	req, err := http.NewRequestWithContext(t.Context(), "POST", url, reader)
	if err != nil {
		t.Fatal(err)
	}
	if encoding != "" {
		req.Header.Set("Content-Encoding", encoding)
	}
	if resp, err := http.DefaultClient.Do(req); err == nil {
		resp.Body.Close()
	}
}

// A second header line counts as much as the first.
func TestSecondContentEncodingHeader(t *testing.T) {
	r := httptest.NewRequest("POST", "/", strings.NewReader("x"))
	r.Header["Content-Encoding"] = []string{"identity", "gzip"}
	if _, err := edge.ReadBody(httptest.NewRecorder(), r); lead.KindOf(err) != lead.UnsupportedMedia {
		t.Errorf("got %v, want kind %s", err, lead.UnsupportedMedia)
	}
}

func TestTooLargeBodyIsNotRead(t *testing.T) {
	r := httptest.NewRequest("POST", "/", nil)
	r.ContentLength, r.Body = lead.MaxBody+1, io.NopCloser(unreadable{})
	w := httptest.NewRecorder()
	var refusal *lead.Error
	if _, err := edge.ReadBody(w, r); !errors.As(err, &refusal) || refusal.Kind != lead.TooLarge {
		t.Errorf("got %v, want kind %s", err, lead.TooLarge)
	}
	if w.Header().Get("Connection") != "close" {
		t.Error("the rest of the body would be taken for the next request")
	}
}

type unreadable struct{}

func (unreadable) Read([]byte) (int, error) { return 0, fmt.Errorf("this must not be read") }
