package wire

import "foyer/internal/lead"

// ReadReturn reads why a buyer gives the lead of an offer back, from a body as strict as every other.
func ReadReturn(offer string, body []byte) (string, *lead.Error) {
	var named, reason lead.Value
	err := readObject(body, func(name string, v lead.Value) bool {
		switch name {
		case lead.OfferField.Name:
			named = v
		case lead.ReasonField.Name:
			reason = v
		}
		return false // so that a name that comes twice is refused, whichever it is
	})
	if err != nil {
		return "", refusal(lead.ReturnInput, err)
	}
	return lead.ReadReturn(offer, named, reason)
}

// ReturnSchema draws the body of a return.
func ReturnSchema() Object {
	drawn := func(f *lead.Field) Member {
		return Member{f.Name, append(typeSchema(f), Member{"description", f.Help})}
	}
	return Object{
		{"type", "object"},
		{"properties", Object{drawn(&lead.OfferField), drawn(&lead.ReasonField)}},
		{"required", []string{lead.OfferField.Name, lead.ReasonField.Name}},
	}
}
