package web

import (
	"path"
	"slices"
	"strings"

	"foyer/internal/catalog"
)

// holds tells in words what a schema takes.
func holds(schema *node) string {
	if ref := schema.at("$ref").text(); ref != "" {
		return path.Base(ref)
	}
	if choices := schema.at("anyOf").items; len(choices) > 0 { // the other one is null
		return holds(choices[0])
	}
	if choices := schema.at("enum").texts(); len(choices) > 0 {
		return "one of " + strings.Join(choices, ", ")
	}
	switch schema.at("type").text() {
	case "integer":
		return "whole number" + bounds(schema, "minimum", "maximum", "")
	case "number":
		return "number" + bounds(schema, "minimum", "maximum", "")
	case "boolean":
		return "true or false"
	case "array":
		return "list of " + holds(schema.at("items"))
	case "object":
		return "object"
	}
	switch schema.at("format").text() {
	case "date":
		return "date, YYYY-MM-DD"
	case "date-time":
		return "time, RFC 3339"
	case "uri":
		return "address"
	}
	return "text" + bounds(schema, "minLength", "maxLength", " characters")
}

func bounds(schema *node, least, most, unit string) string {
	switch low, high := schema.at(least).text(), schema.at(most).text(); {
	case low == "" && high == "":
		return ""
	case low == "":
		return ", at most " + high + unit
	default:
		return ", " + low + " to " + high + unit
	}
}

// members draws the members of an object's schema as a table.
func members(title string, schema *node) *catalog.Table {
	t := &catalog.Table{Head: []string{title, "What it holds", "Meaning"}}
	required := schema.at("required").texts()
	properties := schema.at("properties")
	for _, name := range properties.names {
		member := properties.at(name)
		what := holds(member)
		switch {
		case slices.Contains(required, name):
			what += "; required"
		case member.at("default").text() != "":
			what += "; else " + member.at("default").text()
		case member.has("anyOf"):
			what += " or null"
		}
		t.Rows = append(t.Rows, []string{name, what, member.at("description").text()})
	}
	return t
}
