package web

import (
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// control is one input of the form, drawn from the field table.
//
// It never checks by itself: the server does, with messages that stay on the page. So numbers, phones and email addresses
// are plain text (the server takes 1,200 and trims), and no length is capped: browsers count an emoji as two, and cut a
// pasted text off without a word.
type control struct {
	*lead.Field
	inputTraits
	Tag     string // input, select, textarea or tiles
	Value   string
	Typed   bool // the person put something here
	Options []option
	Checked bool
	Problem string
}

// option is one line of a select, or one tile.
type option struct {
	Value, Label string
	Selected     bool
}

// inputTraits are what only a browser wants to know of a field: its keyboard, and what it can fill in by itself.
type inputTraits struct {
	Type, InputMode, Autocomplete string
	Verbatim                      bool // no capitals, no spell check
}

var traits = map[string]inputTraits{
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
		Field: f, inputTraits: traits[f.Name], Tag: "input", Value: value,
		Typed: strings.TrimSpace(value) != "", Problem: problem,
	}
	if c.Type == "" {
		c.Type = "text"
	}
	switch f.Kind {
	case lead.Lines:
		c.Tag = "textarea"
	case lead.Choice:
		c.Tag, c.Options = "select", choices(f, value)
		if f.Required {
			c.Tag = "tiles"
		}
	case lead.YesNo:
		c.Tag, c.Options = "select", yesOrNo(f, value)
	case lead.Date:
		if problem == "" { // a date input would drop what it cannot read
			c.Type = "date"
		}
	}
	return c
}

// choices lists a field's choices. What was typed is chosen again, or else the default; without one, nothing is.
func choices(f *lead.Field, value string) []option {
	value = strings.TrimSpace(value)
	if value == "" {
		value = f.Default
	}
	var options []option
	if !f.Required && f.Default == "" {
		options = append(options, option{Label: catalog.FormNoAnswer})
	}
	for _, choice := range f.Choices {
		if lead.Service(choice).Live() && choice != value {
			continue // nobody has to fill in a form to get a number
		}
		options = append(options, option{choice, catalog.ChoiceLabel(f.Name, choice), choice == value})
	}
	return options
}

// yesOrNo asks with a select, because an unchecked box would be absent and so mean the default.
func yesOrNo(f *lead.Field, value string) []option {
	if strings.TrimSpace(value) == "" {
		value = f.Default
	}
	yes := lead.Yes(value)
	return []option{{Value: "yes", Label: catalog.FormYes, Selected: yes}, {Value: "no", Label: catalog.FormNo, Selected: !yes}}
}

// Describes are the ids of the texts that belong to the input. One that does not exist yet costs nothing: the script puts
// problems there.
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

// Counted says that the characters are counted for the person.
func (c control) Counted() bool { return c.Kind == lead.Lines && c.Limited() }

// For are the services that the field is asked for, where it is not all of them.
func (c control) For() string {
	var names []string
	for _, s := range c.Prompt() {
		names = append(names, string(s))
	}
	return strings.Join(names, " ")
}

// changed says that there is something to see: what a person typed, and what is not the default.
func (c control) changed() bool {
	if c.Kind == lead.YesNo {
		return c.Typed && lead.Yes(c.Value) != lead.Yes(c.Default)
	}
	return c.Typed && c.Value != c.Default
}

// MayBeBlank says that a person can leave the input empty. One with a default never is.
func (c control) MayBeBlank() bool { return !c.Required && c.Default == "" }
