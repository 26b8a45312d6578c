package page

import (
	"errors"
	"strings"

	"foyer/internal/console/operation"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
)

// AsProblem is an error that a person can put right in the form.
func AsProblem(err error) *lead.Error {
	if known, ok := err.(*lead.Error); ok && (known.Kind == lead.Invalid || known.Kind == lead.NotFound) {
		return known
	}
	return nil
}

// ErrLeft says that the answer was given: the person was led elsewhere.
var ErrLeft = errors.New("the answer was given")

// AsForm names problems of package operator by the fields of a form.
func AsForm(err error) error {
	var problems entered.Problems
	if !errors.As(err, &problems) {
		return FormProblem(err)
	}
	list := make([]lead.Problem, len(problems))
	for i, p := range problems {
		field := p.Term
		if field == "" {
			field = "name"
		}
		list[i] = lead.Problem{Field: field, Text: operation.Sentence(p.Text)}
	}
	return lead.InvalidFields(list)
}

// FormProblem writes the problems of fields as one sentence.
func FormProblem(err error) error {
	var problems entered.Problems
	if !errors.As(err, &problems) {
		if refusal, ok := errors.AsType[entered.Refusal](err); ok {
			return &lead.Error{Kind: lead.Conflict, Message: operation.Sentence(string(refusal))}
		}
		return err
	}
	var texts []string
	for _, p := range problems {
		texts = append(texts, operation.Sentence(p.Text))
	}
	return &lead.Error{Kind: lead.Invalid, Message: strings.Join(texts, " ")}
}
