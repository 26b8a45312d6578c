package wire

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/lead"
)

// maxDepth bounds how deep a body may nest. Nothing of ours nests at all; a buyer's or a campaign's fields may.
const maxDepth = 32

// ReadJSON reads one JSON object onto the slip: no repeated key, no bad UTF-8, nothing behind it.
func ReadJSON(slip *lead.InputSpec, body []byte) *lead.Raw {
	raw := slip.New()
	if err := readObject(body, raw.Put); err != nil {
		return slip.Unreadable(refusal(slip, err))
	}
	return raw
}

// readObject calls set for every member. Repeated names are its caller's affair where the caller knows them, so that
// they can be told by name; anywhere deeper they make the body malformed.
func readObject(body []byte, set func(string, lead.Value) (known bool)) error {
	dec := newDecoder(body)
	defer dec.free()
	if open, err := dec.ReadToken(); err != nil {
		return err
	} else if open.Kind() != '{' {
		return errNotObject
	}
	text := string(body) // names and values are parts of this one copy
	seen := unknownNames{}
	for members := 0; dec.PeekKind() != '}'; members++ {
		if members == mostFields {
			return errMany
		}
		name, err := dec.text(text)
		if err != nil {
			return err
		}
		value, err := dec.value(text)
		if err != nil {
			return err
		}
		if known := set(name, value); !known && seen.again(name) {
			return errRepeated
		}
	}
	return dec.end()
}

// unknownNames finds names that come twice although the slip does not know them.
type unknownNames []string

func (u *unknownNames) again(name string) bool {
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
	errDeep      = fmt.Errorf("it nests deeper than %d levels", maxDepth)
	errMany      = fmt.Errorf("it has more than %d members", mostFields)
)

// refusal tells what is malformed and where, without repeating any of it. What is broken inside a field is reported
// for that field.
func refusal(slip *lead.InputSpec, err error) *lead.Error {
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
	return lead.Malformed("This is not valid JSON: " + err.Error() + ". Send one JSON object with the fields of " + slip.Name + ".")
}
