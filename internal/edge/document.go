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

// Document is an answer that is the same for everybody: written once, compressed once, known by its hash. Its headers are
// made once too: a map assignment costs nothing, a new slice for each of them did.
type Document struct {
	header  []headerField // of every answer
	plain   variant
	gzipped variant // gzip, where it is worth it
}

// headerField is a header with its values.
type headerField struct {
	name   string
	values []string
}

// variant is one form of a document.
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

// NewDocument prepares an answer. The cache line is its Cache-Control.
func NewDocument(contentType, cache string, body []byte) *Document {
	sum := sha256.Sum256(body)
	hash := base64.RawURLEncoding.EncodeToString(sum[:12])
	d := &Document{
		header: []headerField{{"Content-Type", []string{contentType}}, {"Cache-Control", []string{cache}}},
		plain:  newVariant(body, `"`+hash+`"`),
	}
	if packed := compress(body); len(packed) < len(body) {
		d.With("Vary", "Accept-Encoding")
		d.gzipped = newVariant(packed, `"`+hash+`-gzip"`, headerField{"Content-Encoding", []string{"gzip"}})
	}
	return d
}

// compress compresses what is worth it.
func compress(body []byte) []byte {
	if len(body) < minGzipSize {
		return body
	}
	var buf bytes.Buffer
	packer, _ := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	_, _ = packer.Write(body)
	_ = packer.Close()
	return buf.Bytes()
}

// With adds a header to every answer of the document.
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

// Get answers with the document, or tells that the client has it already.
func (d *Document) Get(w http.ResponseWriter, r *http.Request) error {
	h := w.Header()
	setHeaders(h, d.header)
	v := d.plain
	if d.gzipped.body != nil && acceptsGzip(r) {
		v = d.gzipped
	}
	if known := r.Header["If-None-Match"]; known != nil && matchesETag(known[0], d.plain.etag[0], v.etag[0]) {
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
