package chart

import (
	"fmt"
	"strings"
)

// The words of this package. Everything else that a chart says comes from its caller.
const (
	textEmpty    = "Nothing in this range yet."
	textNothing  = "nothing yet"
	textGap      = "–"
	textWhen     = "When"
	textName     = "Name"
	textValue    = "Value"
	textTotal    = "Total"
	textNoLimit  = "No limit"
	textAtLimit  = "At the limit"
	textReserved = "reserved"
	textNone     = "None"
	textUnder    = "under "
	textOrMore   = " or more"
)

// essence says in a sentence what a series shows: its total where values add up or else its last value, its highest and lowest.
func (s Series) essence(u Unit) string {
	var total, last float64
	for i := range s.Points {
		if v, ok := s.at(i); ok {
			total, last = total+v, v
		}
	}
	first := "Last " + u.text(last)
	if u.adds() {
		first = "Total " + u.text(total)
	}
	if extremes := s.extremes(u); extremes != "" {
		return first + ". " + extremes
	}
	return textEmpty
}

// extremes says the highest and the lowest value, or "" if there are none.
func (s Series) extremes(u Unit) string {
	high, low := -1, -1
	for i := range s.Points {
		v, ok := s.at(i)
		if !ok {
			continue
		}
		if high < 0 || v > s.Points[high].Value {
			high = i
		}
		if low < 0 || v < s.Points[low].Value {
			low = i
		}
	}
	if high < 0 {
		return ""
	}
	return fmt.Sprintf("Highest %s, lowest %s.", s.Points[high].named(u), s.Points[low].named(u))
}

// named is a value with its label, such as "240 (Mon 2 Nov)".
func (p Point) named(u Unit) string {
	v, _ := known(p.Value)
	if p.Label == "" {
		return u.text(v)
	}
	return u.text(v) + " (" + cut(p.Label, nameText) + ")"
}

// essences are the sentences of several series, each after its name.
func essences(u Unit, all []Series) string {
	var parts []string
	for _, s := range all {
		sentence := s.essence(u)
		if s.Name != "" && len(all) > 1 {
			sentence = s.Name + ": " + sentence
		}
		parts = append(parts, sentence)
	}
	if len(parts) == 0 {
		return textEmpty
	}
	return strings.Join(parts, " ")
}
