package operator

import (
	"fmt"
	"strings"
)

// FieldError is a term that cannot be used, with one line that says what was given and what is accepted. Term is empty when
// several terms conflict.
type FieldError struct{ Term, Text string }

func (fe *FieldError) Error() string {
	if fe.Term == "" {
		return fe.Text
	}
	return fe.Term + ": " + fe.Text
}

// Problems is everything wrong with an operator's input, in the order of the fields.
type Problems []*FieldError

// Error returns one line for each problem.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, fe := range p {
		lines[i] = fe.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the problems one by one.
func (p Problems) Unwrap() []error {
	list := make([]error, len(p))
	for i, fe := range p {
		list[i] = fe
	}
	return list
}

// add appends a problem, unless its term, or one of the terms in but, already has one: errors that follow from another
// error help no one.
func (p *Problems) add(fe *FieldError, but ...string) {
	if fe == nil {
		return
	}
	for _, known := range *p {
		if known.Term == fe.Term {
			return
		}
		for _, term := range but {
			if known.Term == term {
				return
			}
		}
	}
	*p = append(*p, fe)
}

// orNil returns nil when there are no problems.
func (p Problems) orNil() error {
	if len(p) == 0 {
		return nil
	}
	return p
}

// maxQuoted bounds how many bad words of one list an error repeats.
const maxQuoted = 5

// quoteList quotes the first bad words of a list, and says how many more there are.
func quoteList(wrong []string, one, many string) string {
	if len(wrong) == 1 {
		return fmt.Sprintf("%q %s", wrong[0], one)
	}
	var list []string
	for _, word := range wrong[:min(len(wrong), maxQuoted)] {
		list = append(list, fmt.Sprintf("%q", word))
	}
	if more := len(wrong) - maxQuoted; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, ", ") + " " + many
}
