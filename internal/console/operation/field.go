package operation

import (
	"foyer/internal/buyer"
	"foyer/internal/wire"
)

type object = wire.Object

// Kind is what a field holds.
type Kind string

const (
	Text      Kind = "text"
	Number    Kind = "number" // a whole one
	Boolean   Kind = "boolean"
	List      Kind = "list"      // of texts, or one text with commas
	Cents     Kind = "cents"     // an amount of money
	prices    Kind = "prices"    // an amount for each service
	Timestamp Kind = "timestamp" // RFC 3339
)

// Field is one value of a request: in its path, its query or its body. It is described here once, for reading it and for the OpenAPI
// document.
type Field struct {
	Name         string
	Kind         Kind
	Help         string
	Required     bool
	Choices      []string
	Min, Max     int // of a number, if max is not 0
	DefaultValue any // the value if it is not given

	Typed string // how a form explains it: what is typed there is what the command line takes
	Flag  string // the flag of the command line by which package operator names it
	index int    // where it is in an input of package operator
	empty string // how that writes null and an empty list
}

// Schema is the JSON Schema of the field.
func (f *Field) Schema() object {
	var s object
	switch f.Kind {
	case Number:
		s = object{{"type", f.nullable("integer")}}
		if f.Max != 0 {
			s = append(s, wire.Member{"minimum", f.Min}, wire.Member{"maximum", f.Max})
		}
	case Boolean:
		s = object{{"type", "boolean"}}
	case Cents:
		s = object{{"type", f.nullable("integer")}, {"minimum", f.Min}, {"maximum", int64(buyer.MaxAmount)}}
	case List:
		s = object{{"anyOf", []object{{{"type", "array"}, {"items", object{{"type", "string"}}}}, {{"type", f.nullable("string")}}}}}
	case prices:
		cent := object{{"type", "integer"}, {"minimum", 0}, {"maximum", int64(buyer.MaxAmount)}}
		s = object{{"anyOf", []object{{{"type", f.nullable("object")}, {"additionalProperties", cent}}, cent}}}
	case Timestamp:
		s = object{{"type", "string"}, {"format", "date-time"}}
	default:
		s = object{{"type", f.nullable("string")}}
		if f.Choices != nil {
			s = append(s, wire.Member{"enum", f.Choices})
		}
	}
	if f.DefaultValue != nil {
		s = append(s, wire.Member{"default", f.DefaultValue})
	}
	return s
}

// nullable returns a type, together with null if that takes a term back.
func (f *Field) nullable(name string) any {
	if f.Flag == "" {
		return name
	}
	return []string{name, "null"}
}

// Texts are the texts of values.
func Texts[T ~string](list []T) (all []string) {
	for _, x := range list {
		all = append(all, string(x))
	}
	return all
}

// PersonalFilters are the filters whose values tell who a person is.
var PersonalFilters = map[string]bool{"phone": true, "email": true, "name": true}
