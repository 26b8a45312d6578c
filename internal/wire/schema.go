package wire

import "foyer/internal/lead"

// Schema returns the JSON Schema of a tool's input. Other members are refused.
func Schema(spec *lead.InputSpec) Object {
	properties, required := Object{}, []string{}
	for _, f := range spec.Fields() {
		properties = append(properties, Member{f.Name, FieldSchema(spec, f)})
		if f.Required {
			required = append(required, f.Name)
		}
	}
	return Object{{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}}
}

// FieldSchema returns the schema of one field, with its default and help from spec. A nullable field is an anyOf with null,
// which every client library and model API accepts.
func FieldSchema(spec *lead.InputSpec, f *lead.Field) Object {
	schema, fallback := typeSchema(f), spec.Default(f.Name)
	if f.Nullable {
		schema = Object{{"anyOf", []Object{schema, {{"type", "null"}}}}}
	}
	switch {
	case fallback != "":
		schema = append(schema, Member{"default", defaultValue(f, fallback)})
	case f.Nullable:
		schema = append(schema, Member{"default", nil})
	}
	help := spec.Help(f.Name)
	if f.Kind == lead.Date {
		help += " Format YYYY-MM-DD."
	}
	return append(schema, Member{"description", help})
}

func typeSchema(f *lead.Field) Object {
	switch f.Kind {
	case lead.Whole, lead.Decimal:
		kind := "integer"
		if f.Kind == lead.Decimal {
			kind = "number"
		}
		return Object{{"type", kind}, {"minimum", f.Min}, {"maximum", f.Max}}
	case lead.YesNo:
		return Object{{"type", "boolean"}}
	case lead.Choice:
		return Object{{"type", "string"}, {"enum", f.Choices}}
	case lead.Date:
		return Object{{"type", "string"}, {"format", "date"}}
	}
	schema := Object{{"type", "string"}}
	if f.Min > 0 {
		schema = append(schema, Member{"minLength", f.Min})
	}
	if f.Limited() {
		schema = append(schema, Member{"maxLength", f.Max})
	}
	if f.Pattern != "" {
		schema = append(schema, Member{"pattern", f.Pattern})
	}
	return schema
}

func defaultValue(f *lead.Field, text string) any {
	if f.Kind == lead.YesNo {
		return text == "true"
	}
	return text
}
