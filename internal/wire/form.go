package wire

import (
	"bytes"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"foyer/internal/lead"
)

// ReadForm reads a form body as a person typed it.
func ReadForm(spec *lead.InputSpec, body []byte) *lead.Raw {
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		return spec.Unreadable(lead.Malformed("The body looks like JSON but came as a form. Send it with the header Content-Type: application/json."))
	}
	values, ok := FormValues(body)
	if !ok {
		return spec.Unreadable(lead.Malformed("The form could not be read: send name=value pairs joined by &, percent-encoded, at most " + strconv.Itoa(maxMembers) + " of them."))
	}
	raw := spec.New()
	setAll(values, func(name string, v lead.Value) { raw.Set(name, v) })
	return raw
}

// FormValues returns all values of a form body. If the body is malformed, ok is false and some values are missing.
func FormValues(body []byte) (values url.Values, ok bool) {
	return parsePairs(strings.ReplaceAll(string(body), ";", "%3B")) // some programs send notes with a plain semicolon
}

// ReadQuery adds the query parameters to a request. One with a semicolon is malformed: some clients separate parameters by
// semicolons, and a dry_run after one would be missed.
func ReadQuery(raw *lead.Raw, query string) {
	values, ok := parsePairs(query)
	if !ok {
		raw.Spoil(lead.Malformed("The query of the address could not be read: send ?dry_run=true or leave it out."))
	}
	setAll(values, raw.SetQuery)
}

func parsePairs(pairs string) (values url.Values, ok bool) {
	values, err := url.ParseQuery(pairs)
	return values, err == nil && strings.Count(pairs, "&") < maxMembers
}

// setAll sets every value, in a fixed order, so that the same request gets the same errors.
func setAll(values url.Values, set func(string, lead.Value)) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, v := range values[name] {
			set(name, lead.Typed(v))
		}
	}
}
