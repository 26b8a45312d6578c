// Package wire is the format of requests and answers: it reads JSON, forms and queries into a lead.Raw, writes JSON, and
// generates JSON Schemas from the field table.
//
// It makes no decisions about a request. It refuses malformed input; package lead refuses invalid values.
package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/lead"
)

const (
	maxDepth   = 32  // how deep a body may nest: our fields do not nest at all; those of a buyer or a campaign may
	maxMembers = 200 // of one request: one field table, some buttons, many campaign fields
)

// ReadJSON reads one JSON object: no repeated key, no invalid UTF-8, nothing after it.
func ReadJSON(spec *lead.InputSpec, body []byte) *lead.Raw {
	raw := spec.New()
	if err := readObject(body, raw.Set); err != nil {
		return spec.Unreadable(malformedError(spec, err))
	}
	return raw
}

// readObject calls set for every member. set handles repeated names that it knows, so that an error can name them. Any
// other repeated name, also in nested values, makes the body malformed.
func readObject(body []byte, set func(string, lead.Value) (known bool)) error {
	text := string(body) // names and values are parts of this one copy
	return eachMember(body, text, func(name string, from, to int64, repeated bool) error {
		v, err := fieldValue(text[from:to])
		if err != nil {
			return err
		}
		if known := set(name, v); repeated && !known {
			return errRepeated
		}
		return nil
	})
}

// Members calls fn for every member of a JSON object, with its value as written. It refuses repeated names. It checks that
// the values are JSON, and nothing else about them.
func Members(body []byte, fn func(name string, value jsontext.Value)) error {
	return eachMember(body, string(body), func(name string, from, to int64, repeated bool) error {
		if repeated {
			return errRepeated
		}
		fn(name, jsontext.Value(body[from:to]))
		return nil
	})
}

// decoder reads a body from memory. Decoders are used again: a tool call is read in three of them.
type decoder struct {
	jsontext.Decoder
	source bytes.Buffer
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// eachMember calls fn for every member of the one JSON object in body, with where its value begins and ends, until fn fails. Text is
// the body once more: names are parts of it.
func eachMember(body []byte, text string, fn func(name string, from, to int64, repeated bool) error) error {
	dec := decoders.Get().(*decoder)
	dec.source = *bytes.NewBuffer(body)
	dec.Reset(&dec.source, jsontext.AllowDuplicateNames(true))
	defer func() {
		dec.source = bytes.Buffer{} // nothing that a person wrote stays behind
		decoders.Put(dec)
	}()
	if open, err := dec.ReadToken(); err != nil {
		return err
	} else if open.Kind() != '{' {
		return errNotObject
	}
	seen := make([]string, 0, 24)
	for dec.PeekKind() != '}' {
		if len(seen) == maxMembers {
			return errTooMany
		}
		from, to, err := readValue(dec)
		if err != nil {
			return err
		}
		name := unquote(text[from:to])
		if from, to, err = readValue(dec); err != nil {
			return err
		}
		if err := fn(name, from, to, slices.Contains(seen, name)); err != nil {
			return err
		}
		seen = append(seen, name)
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return errTrailing
	}
	return nil
}

// readValue reads the next value, and says where it begins and ends: what the decoder returns is valid only until the next read.
func readValue(dec *decoder) (from, to int64, err error) {
	value, err := dec.ReadValue()
	to = dec.InputOffset()
	return to - int64(len(value)), to, err
}

// unquote returns the text of a JSON string that was read without an error.
func unquote(quoted string) string {
	if !strings.Contains(quoted, `\`) {
		return quoted[1 : len(quoted)-1]
	}
	text, _ := jsontext.AppendUnquote(nil, quoted)
	return string(text)
}

// fieldValue converts the value of one member.
func fieldValue(value string) (lead.Value, error) {
	switch value[0] {
	case '"':
		return lead.Quoted(unquote(value)), nil
	case '{', '[':
		return lead.Structure(), checkNested(value)
	case 'n':
		return lead.Null(), nil
	case 't', 'f':
		return lead.Bool(value[0] == 't'), nil
	default:
		return lead.Number(value), nil
	}
}

// checkNested checks a nested value as strictly as the object itself, although the value is not used.
func checkNested(value string) error {
	dec := jsontext.NewDecoder(strings.NewReader(value))
	for {
		_, err := dec.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case dec.StackDepth() >= maxDepth:
			return errTooDeep
		}
	}
}

// Elements returns the elements of a JSON array, as they are written.
func Elements(body []byte) (elements []jsontext.Value, err error) {
	err = json.Unmarshal(body, &elements, jsontext.AllowDuplicateNames(true))
	return elements, err
}

// Text unquotes a JSON string.
func Text(value jsontext.Value) (string, bool) {
	if value.Kind() != '"' {
		return "", false
	}
	var buffer [64]byte // most of what is read here are names and short numbers
	text, err := jsontext.AppendUnquote(buffer[:0], value)
	return string(text), err == nil
}

var (
	errNotObject = errors.New("it is not an object")
	errRepeated  = errors.New("a key is given more than once")
	errTrailing  = errors.New("something follows the JSON object")
	errTooDeep   = fmt.Errorf("it nests deeper than %d levels", maxDepth)
	errTooMany   = fmt.Errorf("it has more than %d members", maxMembers)
)

// Broken reports whether an error of Members means that the text is not JSON at all, rather than JSON of another shape.
func Broken(err error) bool {
	return err != nil && !errors.Is(err, errNotObject) && !errors.Is(err, errRepeated) && !errors.Is(err, errTooMany)
}

// malformedError says what is malformed and where, without repeating any of it. A syntax error inside a field is reported
// for that field.
func malformedError(spec *lead.InputSpec, err error) *lead.Error {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		err = errRepeated
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("it ends too early")
	case errors.As(err, &syntax):
		if name := syntax.JSONPointer.LastToken(); syntax.JSONPointer.Parent() == "" && lead.Known(name) {
			return lead.InvalidField(name, lead.FieldNamed(name).Label+": not valid JSON or not valid UTF-8 text. "+lead.FieldNamed(name).Wants+".")
		}
		err = fmt.Errorf("look near byte %d", syntax.ByteOffset)
	}
	return lead.Malformed("This is not valid JSON: " + err.Error() + ". Send one JSON object with the fields of " + spec.Name + ".")
}

// ReadForm reads a form body as a person typed it.
func ReadForm(spec *lead.InputSpec, body []byte) *lead.Raw {
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		return spec.Unreadable(lead.Malformed("The body looks like JSON but came as a form. Send it with the header Content-Type: application/json."))
	}
	values, ok := FormValues(body)
	raw := spec.New()
	setAll(values, func(name string, v lead.Value) { raw.Set(name, v) })
	if !ok { // what could be read stays: a dry run must stay one when the form is shown again
		raw.Spoil(lead.Malformed("The form could not be read: send name=value pairs joined by &, percent-encoded, at most " + strconv.Itoa(maxMembers) + " of them."))
	}
	return raw
}

// FormValues returns all values of a form body. If the body is malformed, ok is false and some values are missing.
func FormValues(body []byte) (values url.Values, ok bool) {
	return parsePairs(strings.ReplaceAll(string(body), ";", "%3B")) // some programs send notes with a plain semicolon
}

// ReadQuery adds the query parameters to a request. One with a semicolon is malformed: some clients separate parameters by
// semicolons, and a dry_run after one would be missed.
func ReadQuery(raw *lead.Raw, query string) {
	if query == "" {
		return
	}
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
