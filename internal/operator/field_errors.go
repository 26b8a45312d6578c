package operator

import (
	"fmt"
	"strings"
)

// FieldError is a term that cannot be used, with a line that says what was given and what is accepted. It has no term where several
// of them do not go together.
type FieldError struct{ Term, Text string }

func (w *FieldError) Error() string {
	if w.Term == "" {
		return w.Text
	}
	return w.Term + ": " + w.Text
}

// Problems are everything that is wrong with what an operator wrote, in the order in which it is read.
type Problems []*FieldError

// Error is one line for one problem, or a line for each.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, w := range p {
		lines[i] = w.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap are the problems one by one.
func (p Problems) Unwrap() []error {
	list := make([]error, len(p))
	for i, w := range p {
		list[i] = w
	}
	return list
}

// add notes a problem, unless the term is known to be wrong already: what follows from that helps nobody.
func (p *Problems) add(w *FieldError, but ...string) {
	if w == nil {
		return
	}
	for _, known := range *p {
		if known.Term == w.Term {
			return
		}
		for _, term := range but {
			if known.Term == term {
				return
			}
		}
	}
	*p = append(*p, w)
}

// or is nil where nothing is wrong.
func (p Problems) or() error {
	if len(p) == 0 {
		return nil
	}
	return p
}

// someWrong bounds how many wrong words of one list are repeated.
const someWrong = 5

// named lists the words of a list that are wrong: the first of them, and how many more there are.
func named(wrong []string, one, many string) string {
	if len(wrong) == 1 {
		return fmt.Sprintf("%q %s", wrong[0], one)
	}
	var list []string
	for _, word := range wrong[:min(len(wrong), someWrong)] {
		list = append(list, fmt.Sprintf("%q", word))
	}
	if more := len(wrong) - someWrong; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, ", ") + " " + many
}
