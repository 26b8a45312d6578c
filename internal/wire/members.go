package wire

import (
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Members calls take for every member of a JSON object with its value as written. A name that comes twice is refused;
// what is inside the values is checked to be JSON, and not looked at.
func Members(body []byte, take func(name string, value jsontext.Value)) error {
	dec := newDecoder(body)
	defer dec.free()
	if open, err := dec.ReadToken(); err != nil {
		return err
	} else if open.Kind() != '{' {
		return errNotObject
	}
	text := string(body)
	seen := make([]string, 0, 8)
	for dec.PeekKind() != '}' {
		if len(seen) == mostFields {
			return errMany
		}
		name, err := dec.text(text)
		if err != nil {
			return err
		}
		if slices.Contains(seen, name) {
			return errRepeated
		}
		seen = append(seen, name)
		value, err := dec.written(body)
		if err != nil {
			return err
		}
		take(name, value)
	}
	return dec.end()
}

// Elements calls take for every element of a JSON array, up to a number of them; it says whether there were more.
func Elements(body []byte, most int, take func(value jsontext.Value)) (more bool, err error) {
	dec := newDecoder(body)
	defer dec.free()
	if _, err := dec.ReadToken(); err != nil {
		return false, err
	}
	for n := 0; dec.PeekKind() != ']'; n++ {
		value, err := dec.written(body)
		if err != nil {
			return false, err
		}
		if n == most {
			return true, nil
		}
		take(value)
	}
	return false, dec.end()
}

// Broken says that an error of Members or Elements means that the text is no JSON at all, rather than JSON of a shape
// that was not wanted.
func Broken(err error) bool {
	return err != nil && !errors.Is(err, errNotObject) && !errors.Is(err, errRepeated) && !errors.Is(err, errMany)
}

// Text reads a JSON string.
func Text(value jsontext.Value) (string, bool) {
	if value.Kind() != '"' {
		return "", false
	}
	text, err := jsontext.AppendUnquote(nil, value)
	return string(text), err == nil
}
