// Package entered reads what operators type: terms of buyers and sources, amounts, dates, lists, and tables of ZIP codes or phone numbers. It
// reports every problem of an input at once, each with its field and what would be accepted, and writes terms as they are typed.
//
// The package changes nothing and asks no database. Its errors repeat nothing that may be personal or secret.
package entered

import (
	"fmt"
	"slices"
	"strings"
)

// ParseField parses a value that was mentioned, and keeps it if it can be used.
func ParseField[Given, Kept any](problems *Problems, term string, given *Given, kept *Kept, parse func(Given) (Kept, error)) {
	if given == nil {
		return
	}
	value, err := parse(*given)
	if err != nil {
		problems.Add(FieldError{term, err.Error()})
		return
	}
	*kept = value
}

// FieldError is a term that cannot be used, with one line that says what was given and what is accepted. Term is the name of its
// flag, or empty when several terms conflict.
type FieldError struct{ Term, Text string }

// Problem is the error of one field.
func Problem(term, text string) error { return Problems{{term, text}} }

// Problems is everything wrong with an operator's input, in the order of the fields.
type Problems []FieldError

// Error names the flag of each problem, and lists several problems on lines of their own.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, fe := range p {
		if lines[i] = fe.Text; fe.Term != "" {
			lines[i] = "--" + fe.Term + ": " + fe.Text
		}
	}
	if len(lines) == 1 {
		return lines[0]
	}
	return fmt.Sprintf("%d problems:\n  %s", len(lines), strings.Join(lines, "\n  "))
}

// Add appends a problem, unless its term, or one of the terms in but, already has one: errors that follow from another
// error help no one.
func (p *Problems) Add(fe FieldError, but ...string) {
	if !slices.ContainsFunc(*p, func(known FieldError) bool { return known.Term == fe.Term || slices.Contains(but, known.Term) }) {
		*p = append(*p, fe)
	}
}

// OrNil returns nil when there are no problems.
func (p Problems) OrNil() error {
	if len(p) == 0 {
		return nil
	}
	return p
}

// Refusal says why something cannot be done as things stand, and what can be done instead. It is no failure: nothing was changed.
type Refusal string

func (r Refusal) Error() string { return string(r) }

func Refuse(format string, args ...any) error { return Refusal(fmt.Sprintf(format, args...)) }
