package page

import (
	"regexp"

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

// personalText is what looks like a phone number or an email address.
var personalText = regexp.MustCompile(`(?:\d[\s().+-]*){10}|\b\d{3}[-. ]\d{4}\b|\S@\S`)

// Why is what was answered, for the audit trail.
func (v *Visit) Why() (audit.Detail, error) {
	why, err := operator.Reason(v.Form.Get("why"))
	if err != nil || why == "" {
		return nil, lead.InvalidField("why", "why: write in a few words why you need to see who it is.")
	}
	if personalText.MatchString(why) {
		return nil, lead.InvalidField("why", "why: leave out phone numbers and email addresses: the audit trail keeps this text.")
	}
	return audit.Detail{"why": audit.Text(why)}, nil
}
