package edge

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Document is a response that is the same for every client: rendered once, compressed once, identified by its hash.
type Document struct {
	header  http.Header // of every response
	plain   variant
	gzipped variant // compressed, if that makes the body smaller
}

// variant is one encoding of a document.
type variant struct {
	body   []byte
	header http.Header
}

func newVariant(body []byte, etag string) variant {
	return variant{body, http.Header{"Etag": {etag}, "Content-Length": {strconv.Itoa(len(body))}}}
}

func (v variant) etag() string { return v.header["Etag"][0] }

// minGzipSize is the size below which compression saves no packet.
const minGzipSize = 1200

// NewDocument prepares a response. The cache argument is its Cache-Control header.
func NewDocument(contentType, cache string, body []byte) *Document {
	sum := sha256.Sum256(body)
	hash := base64.RawURLEncoding.EncodeToString(sum[:12])
	d := &Document{
		header: http.Header{"Content-Type": {contentType}, "Cache-Control": {cache}},
		plain:  newVariant(body, `"`+hash+`"`),
	}
	if gzipped := compress(body); len(gzipped) < len(body) {
		d.With("Vary", "Accept-Encoding")
		d.gzipped = newVariant(gzipped, `"`+hash+`-gzip"`)
		d.gzipped.header.Set("Content-Encoding", "gzip")
	}
	return d
}

// compress returns the body compressed, or unchanged if it is too small.
func compress(body []byte) []byte {
	if len(body) < minGzipSize {
		return body
	}
	var buf bytes.Buffer
	zw := compressors.Get().(*gzip.Writer)
	defer compressors.Put(zw)
	zw.Reset(&buf)
	_, _ = zw.Write(body)
	_ = zw.Close()
	return buf.Bytes()
}

// compressors are reused: each has a megabyte of tables, and a start compresses dozens of documents.
var compressors = sync.Pool{New: func() any {
	zw, _ := gzip.NewWriterLevel(nil, gzip.BestCompression)
	return zw
}}

// With adds a header to every response of the document.
func (d *Document) With(name, value string) *Document {
	d.header.Add(name, value)
	return d
}

// Get writes the document, or 304 if the client already has it.
func (d *Document) Get(w http.ResponseWriter, r *http.Request) error {
	h := w.Header()
	maps.Copy(h, d.header)
	v := d.plain
	if d.gzipped.body != nil && weight(r.Header["Accept-Encoding"], "gzip") > 0 {
		v = d.gzipped
	}
	if match := r.Header["If-None-Match"]; match != nil && matchesETag(match[0], d.plain.etag(), v.etag()) {
		h["Etag"] = v.header["Etag"]
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	maps.Copy(h, v.header)
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

// LiveDocument serves a document that changes now and then: each request gets the document that was put last. Reading it costs
// no more than reading a Document.
type LiveDocument struct{ current atomic.Pointer[Document] }

// Put replaces the document. The first Put has to come before the first request.
func (l *LiveDocument) Put(d *Document) { l.current.Store(d) }

// Get writes the current document.
func (l *LiveDocument) Get(w http.ResponseWriter, r *http.Request) error {
	return l.current.Load().Get(w, r)
}
