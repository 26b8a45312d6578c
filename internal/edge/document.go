package edge

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
)

// Document is an answer that is the same for everybody: written once, compressed once, known by its hash.
type Document struct {
	contentType string
	cache       string
	etag        string
	body        []byte
	packed      []byte // gzip, where it is worth it
	header      http.Header
}

// worthPacking is the size below which compression saves no packet.
const worthPacking = 1200

// NewDocument prepares an answer. The cache line is its Cache-Control.
func NewDocument(contentType, cache string, body []byte) *Document {
	sum := sha256.Sum256(body)
	d := &Document{
		contentType: contentType, cache: cache, body: body,
		etag: `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`,
	}
	if len(body) >= worthPacking {
		var buf bytes.Buffer
		packer, _ := gzip.NewWriterLevel(&buf, gzip.BestCompression)
		_, _ = packer.Write(body)
		_ = packer.Close()
		if buf.Len() < len(body) {
			d.packed = buf.Bytes()
		}
	}
	return d
}

// With adds a header to every answer of the document.
func (d *Document) With(name, value string) *Document {
	if d.header == nil {
		d.header = http.Header{}
	}
	d.header.Set(name, value)
	return d
}

// Get answers with the document, or tells that the client has it already.
func (d *Document) Get(w http.ResponseWriter, r *http.Request) error {
	d.Write(w, r, http.StatusOK)
	return nil
}

// Write answers with the document under a status.
func (d *Document) Write(w http.ResponseWriter, r *http.Request, status int) {
	h := w.Header()
	for name, values := range d.header {
		h[name] = values
	}
	h["Content-Type"] = []string{d.contentType}
	h["Cache-Control"] = []string{d.cache}
	body, etag := d.body, d.etag
	if d.packed != nil {
		h.Add("Vary", "Accept-Encoding")
		if takesGzip(r) {
			body, etag = d.packed, strings.TrimSuffix(d.etag, `"`)+`-gzip"`
			h["Content-Encoding"] = []string{"gzip"}
		}
	}
	if status == http.StatusOK {
		h["Etag"] = []string{etag}
		if matches(r.Header.Get("If-None-Match"), d.etag, etag) {
			h.Del("Content-Encoding")
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func matches(header string, etags ...string) bool {
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

func takesGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, params, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			return !refusedByWeight(params)
		}
	}
	return false
}
