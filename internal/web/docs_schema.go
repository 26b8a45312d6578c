package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/lead"
	"foyer/internal/wire"
)

// openAPI is what the docs show of the OpenAPI document.
type openAPI struct {
	Info       struct{ Description string }
	Tags       []struct{ Name, Description string }
	Paths      ordered[ordered[operation]] // by address and method
	Components struct {
		Schemas    map[string]schema
		Responses  ordered[response]
		Parameters map[string]parameter
	}
}

type operation struct {
	Summary, Description string
	Tags                 []string
	Parameters           []parameter
	RequestBody          struct {
		Content map[string]struct{ Schema schema } // by media type
	}
	Responses ordered[response] // by status
}

type parameter struct {
	Ref                   string `json:"$ref"`
	Name, In, Description string
	Schema                schema
}

type response struct {
	Ref         string `json:"$ref"`
	Description string
	Content     map[string]struct{ Schema schema } // by media type
}

// toolList is what the docs show of the result of tools/list.
type toolList struct {
	Tools []struct {
		Name, Description string
		InputSchema       schema
	}
}

// schema is a JSON Schema.
type schema struct {
	Ref                                    string `json:"$ref"`
	Type                                   typeNames
	Format, Description                    string
	AnyOf                                  []schema
	Enum                                   []string
	Items                                  *schema
	Minimum, Maximum, MinLength, MaxLength json.Number
	Default                                any
	Properties                             ordered[schema]
	Required                               []string
}

// typeNames are the types that a schema allows, without null.
type typeNames string

// UnmarshalJSON reads one type, or a list of them.
func (t *typeNames) UnmarshalJSON(body []byte) error {
	var one string
	if json.Unmarshal(body, &one) == nil {
		*t = typeNames(one)
		return nil
	}
	var list []string
	err := json.Unmarshal(body, &list)
	*t = typeNames(strings.Join(slices.DeleteFunc(list, func(name string) bool { return name == "null" }), " or "))
	return err
}

// ordered is a JSON object that keeps the order of its members, because people read the tables generated from it.
type ordered[T any] []member[T]

type member[T any] struct {
	name  string
	value T
}

// UnmarshalJSON reads the members in order.
func (o *ordered[T]) UnmarshalJSON(body []byte) error {
	var failed []error
	err := wire.Members(body, func(name string, value jsontext.Value) {
		m := member[T]{name: name}
		failed = append(failed, json.Unmarshal(value, &m.value))
		*o = append(*o, m)
	})
	return errors.Join(append(failed, err)...)
}

// fieldType says in words which values a field allows.
func fieldType(f *lead.Field) (string, error) {
	var s schema
	err := json.Unmarshal(wire.Marshal(wire.FieldSchema(lead.IntakeInput, f)), &s)
	return describeSchema(&s), err
}

// describeSchema says in words which values a schema allows.
func describeSchema(s *schema) string {
	switch {
	case s.Ref != "":
		return path.Base(s.Ref)
	case len(s.AnyOf) > 1 && s.AnyOf[1].Type != "null" && s.AnyOf[1].Type != "":
		return describeSchema(&s.AnyOf[0]) + ", or one " + describeSchema(&s.AnyOf[1])
	case len(s.AnyOf) > 0: // the other choice is null
		return describeSchema(&s.AnyOf[0])
	case len(s.Enum) > 0:
		return "one of " + strings.Join(s.Enum, ", ")
	}
	switch s.Type {
	case "integer":
		return "whole number" + describeBounds(s.Minimum, s.Maximum, "")
	case "number":
		return "number" + describeBounds(s.Minimum, s.Maximum, "")
	case "boolean":
		return "true or false"
	case "array":
		return "list of " + describeSchema(s.Items)
	case "object":
		return "object"
	}
	switch s.Format {
	case "date":
		return "date, YYYY-MM-DD"
	case "date-time":
		return "time, RFC 3339"
	case "uri":
		return "address"
	}
	return "text" + describeBounds(s.MinLength, s.MaxLength, " characters")
}

func describeBounds(low, high json.Number, unit string) string {
	switch {
	case low == "" && high == "":
		return ""
	case low == "":
		return ", at most " + high.String() + unit
	default:
		return ", " + low.String() + " to " + high.String() + unit
	}
}

// memberTable lists the members of an object's schema as a table.
func memberTable(title string, object schema) string {
	return table([]string{title, "What it holds", "Meaning"}, memberRows("", object))
}

// memberRows lists the members of an object, and those of objects in it by names with dots.
func memberRows(prefix string, object schema) (rows [][]string) {
	for _, m := range object.Properties {
		if len(m.value.Properties) > 0 {
			rows = append(rows, memberRows(prefix+m.name+".", m.value)...)
			continue
		}
		what := describeSchema(&m.value)
		switch {
		case slices.Contains(object.Required, m.name):
			what += "; required"
		case m.value.Default != nil:
			what += fmt.Sprint("; else ", m.value.Default)
		case len(m.value.AnyOf) > 0:
			what += " or null"
		}
		rows = append(rows, []string{prefix + m.name, what, m.value.Description})
	}
	return rows
}
