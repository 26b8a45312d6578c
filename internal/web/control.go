package web

import (
	"cmp"
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// control is one input of the form, built from the field table.
//
// A control does no validation in the browser: the server validates, and its messages stay on the page. So numbers,
// phones and email addresses are plain text inputs (the server accepts 1,200 and trims), and there is no maxlength:
// browsers count an emoji as two characters and silently cut off pasted text.
type control struct {
	*lead.Field
	inputTraits
	Tag     string // input, select, textarea or tiles
	Value   string
	Typed   bool // the person entered something
	Options []option
	Checked bool
	Problem string
}

// option is one option of a select, or one tile.
type option struct {
	Value, Label string
	Selected     bool
}

// inputTraits are the HTML attributes of a field that only browsers use, such as keyboard and autofill hints.
type inputTraits struct {
	Type, InputMode, Autocomplete string
	Verbatim                      bool // no autocapitalize, no spell check
}

var traitsByField = map[string]inputTraits{
	"zip_code":       {InputMode: "numeric", Autocomplete: "postal-code"},
	"city":           {Autocomplete: "address-level2"},
	"state":          {Autocomplete: "address-level1"},
	"address_line":   {Autocomplete: "address-line1"},
	"bedrooms":       {InputMode: "numeric"},
	"bathrooms":      {InputMode: "decimal"},
	"square_feet":    {InputMode: "numeric"},
	"customer_name":  {Autocomplete: "name"},
	"customer_phone": {Type: "tel", Autocomplete: "tel"},
	"customer_email": {InputMode: "email", Autocomplete: "email", Verbatim: true},
}

func newControl(f *lead.Field, value, problem string) control {
	c := control{
		Field: f, inputTraits: traitsByField[f.Name], Tag: "input", Value: value,
		Typed: strings.TrimSpace(value) != "", Problem: problem,
	}
	if c.Type == "" {
		c.Type = "text"
	}
	switch f.Kind {
	case lead.Lines:
		c.Tag = "textarea"
	case lead.Choice: // the typed value stays selected, or else the default; with no default, nothing is selected
		c.Tag, c.Options = "select", choiceOptions(f, cmp.Or(strings.TrimSpace(value), f.Default))
		if f.Required {
			c.Tag = "tiles"
		}
	case lead.YesNo: // a select, because an unchecked box would not be sent and so would mean the default
		yes := lead.Yes(cmp.Or(strings.TrimSpace(value), f.Default))
		c.Tag, c.Options = "select", []option{{"yes", catalog.FormYes, yes}, {"no", catalog.FormNo, !yes}}
	case lead.Date:
		if problem == "" { // a date input would drop a value that it cannot parse
			c.Type = "date"
		}
	}
	return c
}

// choiceOptions lists a field's choices.
func choiceOptions(f *lead.Field, selected string) []option {
	var options []option
	if !f.Required && f.Default == "" {
		options = append(options, option{Label: catalog.FormNoAnswer})
	}
	for _, choice := range f.Choices {
		if lead.Service(choice).Live() && choice != selected {
			continue // people get a live service's number without filling in the form
		}
		options = append(options, option{choice, catalog.ChoiceLabel(f.Name, choice), choice == selected})
	}
	return options
}

// Describes returns the value of aria-describedby. It may name an element that does not exist yet: the script adds
// problems under that id.
func (c control) Describes() string {
	ids := c.Name + "-problem"
	if c.Hint != "" {
		ids += " " + c.Name + "-help"
	}
	if c.Counted() {
		ids += " " + c.Name + "-left"
	}
	return ids
}

// Counted reports whether the page shows a character count for the input.
func (c control) Counted() bool { return c.Kind == lead.Lines && c.Limited() }

// For returns the services that the field applies to, or "" if it applies to all.
func (c control) For() string {
	var names []string
	for _, s := range c.Prompt {
		names = append(names, string(s))
	}
	return strings.Join(names, " ")
}

// changed reports whether the person entered something other than the default, which must then be visible.
func (c control) changed() bool {
	if c.Kind == lead.YesNo {
		return c.Typed && lead.Yes(c.Value) != lead.Yes(c.Default)
	}
	return c.Typed && c.Value != c.Default
}
