package edge

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
)

// Prepared is a response that was rendered before any client asked for it: a Document, a LiveDocument or a Timed.
type Prepared interface {
	Get(w http.ResponseWriter, r *http.Request) error
}

// Document is a response that is the same for every client: rendered once, compressed once, identified by its hash. Its headers
// are built once too: assigning a slice to the map costs nothing, while allocating one for each header did.
type Document struct {
	header  []headerField // of every response
	plain   variant
	gzipped variant // compressed, if that makes the body smaller
}

// headerField is a header with its values.
type headerField struct {
	name   string
	values []string
}

// variant is one encoding of a document.
type variant struct {
	body   []byte
	etag   []string
	header []headerField
}

func newVariant(body []byte, etag string, more ...headerField) variant {
	v := variant{body: body, etag: []string{etag}}
	v.header = append(more, headerField{"Etag", v.etag}, headerField{"Content-Length", []string{strconv.Itoa(len(body))}})
	return v
}

func setHeaders(h http.Header, fields []headerField) {
	for _, f := range fields {
		h[f.name] = f.values
	}
}

// minGzipSize is the size below which compression saves no packet.
const minGzipSize = 1200

// NewDocument prepares a response. The cache argument is its Cache-Control header.
func NewDocument(contentType, cache string, body []byte) *Document {
	sum := sha256.Sum256(body)
	hash := base64.RawURLEncoding.EncodeToString(sum[:12])
	d := &Document{
		header: []headerField{{"Content-Type", []string{contentType}}, {"Cache-Control", []string{cache}}},
		plain:  newVariant(body, `"`+hash+`"`),
	}
	if gzipped := compress(body); len(gzipped) < len(body) {
		d.With("Vary", "Accept-Encoding")
		d.gzipped = newVariant(gzipped, `"`+hash+`-gzip"`, headerField{"Content-Encoding", []string{"gzip"}})
	}
	return d
}

// compress returns the body compressed, or unchanged if it is too small.
func compress(body []byte) []byte {
	if len(body) < minGzipSize {
		return body
	}
	var buf bytes.Buffer
	zw, _ := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	_, _ = zw.Write(body)
	_ = zw.Close()
	return buf.Bytes()
}

// With adds a header to every response of the document.
func (d *Document) With(name, value string) *Document {
	for i, f := range d.header {
		if f.name == name {
			d.header[i].values = append(f.values, value)
			return d
		}
	}
	d.header = append(d.header, headerField{name, []string{value}})
	return d
}

// Get writes the document, or 304 if the client already has it.
func (d *Document) Get(w http.ResponseWriter, r *http.Request) error {
	h := w.Header()
	setHeaders(h, d.header)
	v := d.plain
	if d.gzipped.body != nil && acceptsGzip(r) {
		v = d.gzipped
	}
	if match := r.Header["If-None-Match"]; match != nil && matchesETag(match[0], d.plain.etag[0], v.etag[0]) {
		h["Etag"] = v.etag
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	setHeaders(h, v.header)
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(v.body)
	return nil
}

func matchesETag(header string, etags ...string) bool {
	for part := range strings.SplitSeq(header, ",") {
		part = strings.TrimPrefix(strings.TrimSpace(part), "W/")
		for _, e := range etags {
			if part == e || part == "*" {
				return true
			}
		}
	}
	return false
}

func acceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, params, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			return !refusedByWeight(params)
		}
	}
	return false
}

// LiveDocument serves a document that changes now and then: each request gets the document that was put last. Reading it costs
// no more than reading a Document.
type LiveDocument struct{ current atomic.Pointer[Document] }

// Put replaces the document. The first Put has to come before the first request.
func (l *LiveDocument) Put(d *Document) { l.current.Store(d) }

// Get writes the current document.
func (l *LiveDocument) Get(w http.ResponseWriter, r *http.Request) error {
	return l.current.Load().Get(w, r)
}
