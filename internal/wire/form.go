package wire

import (
	"bytes"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"foyer/internal/lead"
)

// maxMembers bounds the members of a request: one field table, some buttons, many campaign fields.
const maxMembers = 200

// ReadForm reads a form body as a person typed it.
func ReadForm(spec *lead.InputSpec, body []byte) *lead.Raw {
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		return spec.Unreadable(lead.Malformed("The body looks like JSON but came as a form. Send it with the header Content-Type: application/json."))
	}
	raw := spec.New()
	if !eachPair(string(body), raw.Set) {
		return spec.Unreadable(lead.Malformed("The form could not be read: send name=value pairs joined by &, percent-encoded, at most " + strconv.Itoa(maxMembers) + " of them."))
	}
	return raw
}

// ReadQuery adds the query parameters to a request.
func ReadQuery(raw *lead.Raw, query string) {
	// Some clients separate parameters by semicolons; a dry_run after one would be missed.
	if query != "" && (strings.Contains(query, ";") || !eachPair(query, raw.SetQuery)) {
		raw.Spoil(lead.Malformed("The query of the address could not be read: send ?dry_run=true or leave it out."))
	}
}

// FormValue returns one form value that is not in the field table.
func FormValue(body []byte, name string) string { return FormValues(body, name)[0] }

// FormValues returns several of them, in the order of names. If a name is given twice, the first value counts.
func FormValues(body []byte, names ...string) []string {
	found := make([]string, len(names))
	eachPair(string(body), func(n string, v lead.Value) {
		if i := slices.Index(names, n); i >= 0 && found[i] == "" {
			found[i], _ = v.String()
		}
	})
	return found
}

// eachPair calls set for each pair of a form, in order. It returns false if the form is malformed.
func eachPair(form string, set func(string, lead.Value)) bool {
	for range maxMembers {
		pair, rest, more := strings.Cut(form, "&")
		if pair != "" {
			name, value, _ := strings.Cut(pair, "=")
			name, err1 := url.QueryUnescape(name)
			value, err2 := url.QueryUnescape(value)
			if err1 != nil || err2 != nil {
				return false
			}
			set(name, lead.Typed(value))
		}
		if !more {
			return true
		}
		form = rest
	}
	return false
}
