package web

import (
	"path"
	"slices"
	"strings"
)

// describeSchema says in words which values a schema allows.
func describeSchema(schema *node) string {
	if ref := schema.at("$ref").text(); ref != "" {
		return path.Base(ref)
	}
	if choices := schema.at("anyOf").items; len(choices) > 0 { // the other choice is null
		return describeSchema(choices[0])
	}
	if choices := schema.at("enum").texts(); len(choices) > 0 {
		return "one of " + strings.Join(choices, ", ")
	}
	switch schema.at("type").text() {
	case "integer":
		return "whole number" + describeBounds(schema, "minimum", "maximum", "")
	case "number":
		return "number" + describeBounds(schema, "minimum", "maximum", "")
	case "boolean":
		return "true or false"
	case "array":
		return "list of " + describeSchema(schema.at("items"))
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
	return "text" + describeBounds(schema, "minLength", "maxLength", " characters")
}

func describeBounds(schema *node, lowName, highName, unit string) string {
	switch low, high := schema.at(lowName).text(), schema.at(highName).text(); {
	case low == "" && high == "":
		return ""
	case low == "":
		return ", at most " + high + unit
	default:
		return ", " + low + " to " + high + unit
	}
}

// memberTable lists the members of an object's schema as a table.
func memberTable(title string, schema *node) string {
	var rows [][]string
	required := schema.at("required").texts()
	properties := schema.at("properties")
	for _, name := range properties.names {
		member := properties.at(name)
		what := describeSchema(member)
		switch {
		case slices.Contains(required, name):
			what += "; required"
		case member.at("default").text() != "":
			what += "; else " + member.at("default").text()
		case member.has("anyOf"):
			what += " or null"
		}
		rows = append(rows, []string{name, what, member.at("description").text()})
	}
	return table([]string{title, "What it holds", "Meaning"}, rows)
}
