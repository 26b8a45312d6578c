package page

import (
	"slices"
	"strings"

	"foyer/internal/lead"
)

// Ticks reports whether the field is a list of boxes to tick.
func (i Input) Ticks() bool { return i.Kind == "list" && i.Choices != nil }

// choice is a value to choose, and how it reads.
type choice struct {
	Value, Text string
	Chosen      bool
}

// Options are the choices of the field.
func (i Input) Options() (list []choice) {
	chosen := []string{i.Value}
	if i.Ticks() {
		chosen = listed(i.Value)
	}
	for _, value := range i.Choices {
		c := choice{value, value, slices.Contains(chosen, value) || i.Ticks() && i.Value == "all"}
		switch i.Name {
		case "service", "services":
			c.Text = ServiceName(lead.Service(value))
		case "approve_returns", "deny_returns", "code", "status":
			c.Text = CodeName(value)
		}
		list = append(list, c)
	}
	return list
}

// listed are the words of a list as it is typed.
func listed(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == ';' })
}
