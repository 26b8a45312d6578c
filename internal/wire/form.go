package wire

import (
	"bytes"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"foyer/internal/lead"
)

// mostFields bounds the members of a request: one field table, some buttons, many campaign fields.
const mostFields = 200

// ReadForm reads a form body onto the slip, as a person typed it.
func ReadForm(slip *lead.InputSpec, body []byte) *lead.Raw {
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		return slip.Unreadable(lead.Malformed("The body looks like JSON but came as a form. Send it with the header Content-Type: application/json."))
	}
	raw := slip.New()
	if !eachPair(string(body), raw.Set) {
		return slip.Unreadable(lead.Malformed("The form could not be read: send name=value pairs joined by &, percent-encoded, at most " + strconv.Itoa(mostFields) + " of them."))
	}
	return raw
}

// ReadQuery adds what the address says to a request.
func ReadQuery(raw *lead.Raw, query string) {
	// Some write a semicolon for the ampersand; a dry_run behind one would be overlooked.
	if query != "" && (strings.Contains(query, ";") || !eachPair(query, raw.SetQuery)) {
		raw.Spoil(lead.Malformed("The query of the address could not be read: send ?dry_run=true or leave it out."))
	}
}

// FormValue finds one value of a form that is not in the field table.
func FormValue(body []byte, name string) string { return FormValues(body, name)[0] }

// FormValues finds several of them, in the order of their names. Of one that is given twice, the first counts.
func FormValues(body []byte, names ...string) []string {
	found := make([]string, len(names))
	eachPair(string(body), func(n string, v lead.Value) {
		if i := slices.Index(names, n); i >= 0 && found[i] == "" {
			found[i], _ = v.String()
		}
	})
	return found
}

// eachPair splits a form in the order it was sent. It says false where the form is malformed.
func eachPair(form string, set func(string, lead.Value)) bool {
	for range mostFields {
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
