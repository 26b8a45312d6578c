package wire

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Members calls take for every member of a JSON object with its value as written. A name that comes twice is refused;
// what is inside the values is not looked at.
func Members(body []byte, take func(name string, value jsontext.Value)) error {
	dec := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true))
	if open, err := dec.ReadToken(); err != nil {
		return err
	} else if open.Kind() != '{' {
		return errNotObject
	}
	seen := make(map[string]struct{}, 8)
	for dec.PeekKind() != '}' {
		name, value, err := member(dec, body)
		if err != nil {
			return err
		}
		if _, twice := seen[name]; twice {
			return errRepeated
		}
		seen[name] = struct{}{}
		take(name, value)
	}
	return ended(dec)
}

// Elements calls take for every element of a JSON array, up to a number of them; it says whether there were more.
func Elements(body []byte, most int, take func(value jsontext.Value)) (more bool, err error) {
	dec := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true))
	if _, err := dec.ReadToken(); err != nil {
		return false, err
	}
	for n := 0; dec.PeekKind() != ']'; n++ {
		value, err := dec.ReadValue()
		if err != nil {
			return false, err
		}
		if n == most {
			return true, nil
		}
		take(written(dec, body, value))
	}
	return false, ended(dec)
}

func member(dec *jsontext.Decoder, body []byte) (string, jsontext.Value, error) {
	token, err := dec.ReadToken()
	if err != nil {
		return "", nil, err
	}
	name := token.String()
	value, err := dec.ReadValue()
	if err != nil {
		return "", nil, err
	}
	return name, written(dec, body, value), nil
}

// written is a value as a part of the body. What the decoder returns is gone with its next step.
func written(dec *jsontext.Decoder, body []byte, value jsontext.Value) jsontext.Value {
	end := dec.InputOffset()
	return body[end-int64(len(value)) : end]
}

func ended(dec *jsontext.Decoder) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return errTrailing
	}
	return nil
}

// Text reads a JSON string.
func Text(value jsontext.Value) (string, bool) {
	if value.Kind() != '"' {
		return "", false
	}
	text, err := jsontext.AppendUnquote(nil, value)
	return string(text), err == nil
}
