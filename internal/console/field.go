package console

import (
	"foyer/internal/buyer"
	"foyer/internal/wire"
)

type object = wire.Object

// kind is what a field holds.
type kind string

const (
	text      kind = "text"
	number    kind = "number" // a whole one
	boolean   kind = "boolean"
	list      kind = "list"      // of texts, or one text with commas
	cents     kind = "cents"     // an amount of money
	prices    kind = "prices"    // an amount for each service
	timestamp kind = "timestamp" // RFC 3339
)

// field is one value of a request: in its path, its query or its body. It is described here once, for reading it and for the OpenAPI
// document.
type field struct {
	name         string
	kind         kind
	help         string
	required     bool
	choices      []string
	min, max     int // of a number, if max is not 0
	defaultValue any // the value if it is not given

	typed string // how a form explains it: what is typed there is what the command line takes
	flag  string // the flag of the command line by which package operator names it
	index int    // where it is in an input of package operator
	empty string // how that writes null and an empty list
}

// schema is the JSON Schema of the field.
func (f *field) schema() object {
	var s object
	switch f.kind {
	case number:
		s = object{{"type", f.nullable("integer")}}
		if f.max != 0 {
			s = append(s, wire.Member{"minimum", f.min}, wire.Member{"maximum", f.max})
		}
	case boolean:
		s = object{{"type", "boolean"}}
	case cents:
		s = object{{"type", f.nullable("integer")}, {"minimum", f.min}, {"maximum", int64(buyer.MaxAmount)}}
	case list:
		s = object{{"anyOf", []object{{{"type", "array"}, {"items", object{{"type", "string"}}}}, {{"type", f.nullable("string")}}}}}
	case prices:
		cent := object{{"type", "integer"}, {"minimum", 0}, {"maximum", int64(buyer.MaxAmount)}}
		s = object{{"anyOf", []object{{{"type", f.nullable("object")}, {"additionalProperties", cent}}, cent}}}
	case timestamp:
		s = object{{"type", "string"}, {"format", "date-time"}}
	default:
		s = object{{"type", f.nullable("string")}}
		if f.choices != nil {
			s = append(s, wire.Member{"enum", f.choices})
		}
	}
	if f.defaultValue != nil {
		s = append(s, wire.Member{"default", f.defaultValue})
	}
	return s
}

// nullable returns a type, together with null if that takes a term back.
func (f *field) nullable(name string) any {
	if f.flag == "" {
		return name
	}
	return []string{name, "null"}
}

func texts[T ~string](list []T) (all []string) {
	for _, x := range list {
		all = append(all, string(x))
	}
	return all
}

// personalFilters are the filters whose values tell who a person is.
var personalFilters = map[string]bool{"phone": true, "email": true, "name": true}
