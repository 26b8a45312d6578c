package wire

import "foyer/internal/lead"

// ReadReturn reads why a buyer returns a lead. The body is parsed as strictly as every other.
func ReadReturn(offer string, body []byte) (lead.Return, *lead.Error) {
	var named, code, reason lead.Value
	err := readObject(body, func(name string, v lead.Value) bool {
		switch name {
		case lead.OfferField.Name:
			named = v
		case lead.CodeField.Name:
			code = v
		case lead.ReasonField.Name:
			reason = v
		}
		return false // so that any repeated name is refused
	})
	if err != nil {
		return lead.Return{}, malformedError(lead.ReturnInput, err)
	}
	return lead.ReadReturn(offer, named, code, reason)
}

// ReturnSchema returns the JSON Schema of a return.
func ReturnSchema() Object {
	member := func(f *lead.Field) Member {
		schema := typeSchema(f)
		if f.Default != "" {
			schema = append(schema, Member{"default", f.Default})
		}
		return Member{f.Name, append(schema, Member{"description", f.Help})}
	}
	return Object{
		{"type", "object"},
		{"properties", Object{member(&lead.OfferField), member(&lead.CodeField), member(&lead.ReasonField)}},
		{"required", []string{lead.OfferField.Name, lead.ReasonField.Name}},
	}
}
