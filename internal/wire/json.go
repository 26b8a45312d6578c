package wire

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/lead"
)

// maxDepth bounds how deep a body may nest. Our fields do not nest at all; those of a buyer or a campaign may.
const maxDepth = 32

// ReadJSON reads one JSON object: no repeated key, no invalid UTF-8, nothing after it.
func ReadJSON(spec *lead.InputSpec, body []byte) *lead.Raw {
	raw := spec.New()
	if err := readObject(body, raw.Put); err != nil {
		return spec.Unreadable(malformedError(spec, err))
	}
	return raw
}

// readObject calls set for every member. set handles repeated names that it knows, so that an error can name them. Any
// other repeated name, also in nested values, makes the body malformed.
func readObject(body []byte, set func(string, lead.Value) (known bool)) error {
	dec := newDecoder(body)
	defer dec.release()
	if open, err := dec.ReadToken(); err != nil {
		return err
	} else if open.Kind() != '{' {
		return errNotObject
	}
	text := string(body) // names and values are substrings of this one copy
	seen := unknownNames{}
	for members := 0; dec.PeekKind() != '}'; members++ {
		if members == maxMembers {
			return errTooMany
		}
		name, err := dec.readString(text)
		if err != nil {
			return err
		}
		value, err := dec.readFieldValue(text)
		if err != nil {
			return err
		}
		if known := set(name, value); !known && seen.repeats(name) {
			return errRepeated
		}
	}
	return dec.expectEnd()
}

// unknownNames finds unknown names that are given twice.
type unknownNames []string

func (u *unknownNames) repeats(name string) bool {
	if slices.Contains(*u, name) {
		return true
	}
	*u = append(*u, name)
	return false
}

var (
	errNotObject = errors.New("it is not an object")
	errRepeated  = errors.New("a key is given more than once")
	errTrailing  = errors.New("something follows the JSON object")
	errTooDeep   = fmt.Errorf("it nests deeper than %d levels", maxDepth)
	errTooMany   = fmt.Errorf("it has more than %d members", maxMembers)
)

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
