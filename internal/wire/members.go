package wire

import (
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Members calls fn for every member of a JSON object, with its value as written. It refuses repeated names. It checks that
// the values are JSON, and nothing else about them.
func Members(body []byte, fn func(name string, value jsontext.Value)) error {
	dec := newDecoder(body)
	defer dec.release()
	if open, err := dec.ReadToken(); err != nil {
		return err
	} else if open.Kind() != '{' {
		return errNotObject
	}
	text := string(body)
	seen := make([]string, 0, 8)
	for dec.PeekKind() != '}' {
		if len(seen) == maxMembers {
			return errTooMany
		}
		name, err := dec.readString(text)
		if err != nil {
			return err
		}
		if slices.Contains(seen, name) {
			return errRepeated
		}
		seen = append(seen, name)
		value, err := dec.rawValue(body)
		if err != nil {
			return err
		}
		fn(name, value)
	}
	return dec.expectEnd()
}

// Elements calls fn for up to limit elements of a JSON array, and reports whether there were more.
func Elements(body []byte, limit int, fn func(value jsontext.Value)) (more bool, err error) {
	dec := newDecoder(body)
	defer dec.release()
	if _, err := dec.ReadToken(); err != nil {
		return false, err
	}
	for n := 0; dec.PeekKind() != ']'; n++ {
		value, err := dec.rawValue(body)
		if err != nil {
			return false, err
		}
		if n == limit {
			return true, nil
		}
		fn(value)
	}
	return false, dec.expectEnd()
}

// Broken reports whether an error of Members or Elements means that the text is not JSON at all, rather than JSON of
// another shape.
func Broken(err error) bool {
	return err != nil && !errors.Is(err, errNotObject) && !errors.Is(err, errRepeated) && !errors.Is(err, errTooMany)
}

// Text unquotes a JSON string.
func Text(value jsontext.Value) (string, bool) {
	if value.Kind() != '"' {
		return "", false
	}
	text, err := jsontext.AppendUnquote(nil, value)
	return string(text), err == nil
}
