package wire

import "foyer/internal/lead"

// ReadReason reads why a buyer gives a lead back, from a body as strict as every other.
func ReadReason(body []byte) (string, *lead.Error) {
	var given lead.Value
	err := readObject(body, func(name string, v lead.Value) bool {
		if name == lead.ReasonField.Name {
			given = v
		}
		return false // so that a name that comes twice is refused, whichever it is
	})
	if err != nil {
		return "", refusal(lead.ReturnSlip, err)
	}
	return lead.Reason(given)
}

// ReasonSchema draws the one field of a return.
func ReasonSchema() Object {
	return append(typeSchema(&lead.ReasonField), Member{"description", lead.ReasonField.Help})
}
