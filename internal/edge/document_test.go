package edge_test

import (
	"compress/gzip"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"foyer/internal/edge"
	"foyer/internal/lead"
)

var errRefused = &lead.Error{Kind: lead.Refused, Message: "No."}

var longText = strings.Repeat("The same words again. ", 200)

func get(d *edge.Document, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", "/", nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	if err := d.Get(w, r); err != nil {
		panic(err)
	}
	return w
}

func TestDocument(t *testing.T) {
	d := edge.NewDocument("text/plain", "public, max-age=60", []byte("short")).With("X-Robots-Tag", "noindex")
	w := get(d, "Accept-Encoding", "gzip")
	for name, want := range map[string]string{
		"Content-Type": "text/plain", "Cache-Control": "public, max-age=60", "X-Robots-Tag": "noindex",
		"Content-Length": "5", "Content-Encoding": "", "Vary": "",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if w.Code != 200 || w.Body.String() != "short" || w.Header().Get("ETag") == "" {
		t.Errorf("got %d, %v: %s", w.Code, w.Header(), w.Body)
	}
	if other := edge.NewDocument("text/plain", "", []byte("other")); get(other).Header().Get("ETag") == w.Header().Get("ETag") {
		t.Error("two texts have one ETag")
	}
}

func TestIfNoneMatch(t *testing.T) {
	d := edge.NewDocument("text/plain", "public, max-age=60", []byte(longText))
	plain, gzipped := get(d).Header().Get("ETag"), get(d, "Accept-Encoding", "gzip").Header().Get("ETag")
	if plain == gzipped {
		t.Fatal("the gzipped document has the same ETag as the plain one")
	}
	for _, tc := range []struct {
		name, header string
		status       int
	}{
		{"the same", plain, 304},
		{"the same, gzipped", gzipped, 304},
		{"weak", "W/" + plain, 304},
		{"in a list", `"a", W/"b" , ` + plain, 304},
		{"anything", "*", 304},
		{"another", `"another"`, 200},
		{"a list of others", `"a", "b"`, 200},
		{"without quotes", strings.Trim(plain, `"`), 200},
		{"blank", "", 200},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := get(d, "If-None-Match", tc.header, "Accept-Encoding", "gzip")
			if w.Code != tc.status {
				t.Fatalf("got %d, want %d", w.Code, tc.status)
			}
			if got := w.Header(); got.Get("ETag") != gzipped || got.Get("Vary") != "Accept-Encoding" || got.Get("Cache-Control") == "" {
				t.Errorf("a cache needs ETag, Vary and Cache-Control: %v", got)
			}
			if tc.status == 304 && (w.Body.Len() > 0 || w.Header().Get("Content-Encoding") != "" || w.Header().Get("Content-Length") != "") {
				t.Errorf("a 304 has no body and no headers of one: %v", w.Header())
			}
		})
	}
}

func TestGzip(t *testing.T) {
	d := edge.NewDocument("text/plain", "public", []byte(longText)).With("Vary", "Accept")
	for header, gzipped := range map[string]bool{
		"gzip": true, "GZIP": true, "br, gzip;q=0.5": true, "deflate,gzip": true, "gzip;q=0.001": true, "gzip; q=1": true, "gzip;x=y;q=1.0": true,
		"": false, "br": false, "gzip;q=0": false, "gzip; q=0.0": false, "gzip;Q=0.000": false, "gzip;x=y;q=0": false, "identity": false, "xgzip": false,
	} {
		t.Run(header, func(t *testing.T) {
			w := get(d, "Accept-Encoding", header)
			if got := w.Header().Get("Content-Encoding") == "gzip"; got != gzipped {
				t.Fatalf("gzipped: %v, want %v", got, gzipped)
			}
			if got := strings.Join(w.Header().Values("Vary"), ", "); got != "Accept-Encoding, Accept" {
				t.Errorf("Vary is %q", got)
			}
			var body io.Reader = w.Body
			if gzipped {
				var err error
				if body, err = gzip.NewReader(w.Body); err != nil {
					t.Fatal(err)
				}
			}
			if text, err := io.ReadAll(body); err != nil || string(text) != longText {
				t.Errorf("the text is another one (%v)", err)
			}
		})
	}
}
