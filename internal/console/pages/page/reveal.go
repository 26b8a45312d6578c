package page

import (
	"strings"

	"foyer/internal/audit"
	"foyer/internal/console"
	"foyer/internal/lead"
	"foyer/internal/operator"
)

// Masked says whether a person is shown.
func Masked(erased, revealed bool) string {
	switch {
	case erased:
		return "Nothing in it tells who the person is."
	case revealed:
		return "With the person, as you asked. The audit trail tells of it."
	}
	return "Without the person: name, phone, e-mail, street, notes and what browsers send are not shown."
}

// WhyInput asks why somebody has to see a person.
func WhyInput(help string) Input {
	return Input{Input: console.Input{Name: "why", Label: "Why", Kind: "text", Required: true, Help: help + " No names, phone numbers or email addresses: the audit trail keeps it."}}
}

// Why is what was answered, for the audit trail.
func (v *Visit) Why() (audit.Detail, error) {
	text := v.Form.Get("why")
	if strings.TrimSpace(text) == "" {
		return nil, lead.InvalidField("why", "why: write in a few words why you need to see who it is.")
	}
	why, err := operator.Reason(text)
	if err != nil {
		return nil, AsForm(err)
	}
	return audit.Detail{"why": audit.Text(why)}, nil
}
