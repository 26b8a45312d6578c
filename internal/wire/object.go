package wire

import (
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/lead"
)

// Object is a JSON object that keeps its order, for documents that people read.
type Object []Member

// Member is the name and the value of one entry of an Object. It is an array, so that literals need no field names.
type Member [2]any

// MarshalJSONTo writes the members in order.
func (o Object) MarshalJSONTo(enc *jsontext.Encoder) error {
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, m := range o {
		if err := enc.WriteToken(jsontext.String(m[0].(string))); err != nil {
			return err
		}
		if err := json.MarshalEncode(enc, m[1]); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndObject)
}

// Marshal encodes a value that is known to be encodable. It panics on failure, which is a bug.
func Marshal(v any) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return out
}

// MarshalIndent encodes a document that people read.
func MarshalIndent(v any) []byte {
	out, err := json.Marshal(v, jsontext.WithIndent("  "))
	if err != nil {
		panic(err)
	}
	return append(out, '\n')
}

// ErrorBody returns the Error object of the published interface.
func ErrorBody(e *lead.Error) Object {
	body := Object{{"error", e.Kind}, {"message", e.Message}}
	if len(e.Problems) == 0 {
		return body
	}
	fields := make(Object, 0, len(e.Problems))
	for _, p := range e.Problems {
		fields = fields.addText(p.Field, p.Text)
	}
	return append(body, Member{"fields", fields})
}

// ErrorSchema is the JSON Schema of ErrorBody.
func ErrorSchema() Object {
	return Object{
		{"type", "object"},
		{"properties", Object{
			{"error", Object{{"type", "string"}, {"description", "Short machine code."}}},
			{"message", Object{{"type", "string"}, {"description", "Readable message; for an invalid request, the texts of all its fields."}}},
			{"fields", Object{
				{"type", "object"},
				{"additionalProperties", Object{{"type", "string"}}},
				{"description", "What is wrong with each field, and what to send instead."},
			}},
		}},
		{"required", []string{"error", "message"}},
		{"additionalProperties", false},
	}
}

// addText adds a text under a name, or appends it to the text that is there, because each name occurs only once.
func (o Object) addText(name, text string) Object {
	for i := range o {
		if o[i][0] == name {
			o[i][1] = o[i][1].(string) + " " + text
			return o
		}
	}
	return append(o, Member{name, text})
}

// OrNull returns nil, JSON's null, for an empty value.
func OrNull[T ~string | ~int](v T) *T {
	var nothing T
	if v == nothing {
		return nil
	}
	return &v
}

// TimeOrNull returns nil, JSON's null, for the zero time.
func TimeOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
