package wire

import "foyer/internal/lead"

// ReadReturn reads the reason why a buyer returns a lead. The body is parsed as strictly as every other.
func ReadReturn(offer string, body []byte) (string, *lead.Error) {
	var named, reason lead.Value
	err := readObject(body, func(name string, v lead.Value) bool {
		switch name {
		case lead.OfferField.Name:
			named = v
		case lead.ReasonField.Name:
			reason = v
		}
		return false // so that any repeated name is refused
	})
	if err != nil {
		return "", malformedError(lead.ReturnInput, err)
	}
	return lead.ReadReturn(offer, named, reason)
}

// ReturnSchema returns the JSON Schema of a return.
func ReturnSchema() Object {
	member := func(f *lead.Field) Member {
		return Member{f.Name, append(typeSchema(f), Member{"description", f.Help})}
	}
	return Object{
		{"type", "object"},
		{"properties", Object{member(&lead.OfferField), member(&lead.ReasonField)}},
		{"required", []string{lead.OfferField.Name, lead.ReasonField.Name}},
	}
}
