package edge

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// Accepts reports whether the Accept header names a media type. Ranges such as */* name none.
func Accepts(r *http.Request, mediaType string) bool {
	return weight(r.Header["Accept"], mediaType) > 0
}

// Prefers reports whether the Accept header names a media type and gives it more weight than other.
func Prefers(r *http.Request, mediaType, other string) bool {
	return weight(r.Header["Accept"], mediaType) > weight(r.Header["Accept"], other)
}

// weight returns the q of a media type or coding in a list of them: 1 if it has none, 0 if the list does not name it.
func weight(header []string, wanted string) (highest float64) {
	for part := range strings.SplitSeq(strings.Join(header, ","), ",") {
		name, params, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), wanted) {
			continue
		}
		q := 1.0
		for param := range strings.SplitSeq(params, ";") {
			key, value, _ := strings.Cut(param, "=")
			if strings.EqualFold(strings.TrimSpace(key), "q") {
				q, _ = strconv.ParseFloat(strings.TrimSpace(value), 64)
			}
		}
		highest = max(highest, q)
	}
	return highest
}

// AsksForHTML reports whether the client names HTML, as browsers do.
func AsksForHTML(r *http.Request) bool { return Accepts(r, "text/html") }

// AsksForJSON reports whether the client names JSON and not HTML, as programs do.
func AsksForJSON(r *http.Request) bool { return Accepts(r, "application/json") && !AsksForHTML(r) }

// MediaType returns the media type of a request body, without its parameters; "" if none is named.
func MediaType(r *http.Request) string {
	header := r.Header.Get("Content-Type")
	if header == "" || header == "application/json" {
		return header
	}
	name, _, err := mime.ParseMediaType(header)
	if err != nil {
		return "unreadable"
	}
	return name
}
