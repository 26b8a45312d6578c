package edge

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// Accepts reports whether the Accept header names a media type. Ranges such as */* name none.
func Accepts(r *http.Request, mediaType string) bool {
	for _, header := range r.Header["Accept"] {
		for part := range strings.SplitSeq(header, ",") {
			name, params, _ := strings.Cut(part, ";")
			if strings.EqualFold(strings.TrimSpace(name), mediaType) && !refusedByWeight(params) {
				return true
			}
		}
	}
	return false
}

// refusedByWeight reports whether the parameters contain a q of 0, in any position.
func refusedByWeight(params string) bool {
	for param := range strings.SplitSeq(params, ";") {
		name, q, _ := strings.Cut(strings.TrimSpace(param), "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			return strings.Trim(q, " 0.") == ""
		}
	}
	return false
}

// Prefers reports whether the Accept header names a media type and gives it more weight than other.
func Prefers(r *http.Request, mediaType, other string) bool {
	return weight(r, mediaType) > weight(r, other)
}

// weight returns the q of a media type in the Accept header: 1 if none is given, 0 if the type is not named.
func weight(r *http.Request, mediaType string) float64 {
	for _, header := range r.Header["Accept"] {
		for part := range strings.SplitSeq(header, ",") {
			name, params, err := mime.ParseMediaType(part)
			if err != nil || name != mediaType {
				continue
			}
			if q, err := strconv.ParseFloat(params["q"], 64); err == nil {
				return q
			}
			return 1
		}
	}
	return 0
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
