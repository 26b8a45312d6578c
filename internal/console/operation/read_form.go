package operation

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
)

// Ticked reports whether a form shows the field as boxes to tick.
func (f *Field) Ticked() bool { return f.Kind == List && f.Choices != nil }

// ReadForm reads what a form sent. A field of the operator's input has the text that the command line takes; an empty one is not given.
func (in *Reader) ReadForm(fields []Field, form url.Values) {
	for i := range fields {
		f := &fields[i]
		given, text := form.Has(f.Name), strings.TrimSpace(form.Get(f.Name))
		switch {
		case f.Kind == Boolean:
			if given {
				in.Values[f.Name] = text == "true" || text == "on"
			}
		case !given || text == "" && f.Flag == "":
		case text == "": // a term is taken back
			in.Values[f.Name] = nil
		case f.Kind == Number:
			in.readNumber(f, text)
		case f.Kind == List && f.Flag == "": // one on each line
			in.Values[f.Name] = []string{strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '\n' || r == '\r' }), ",")}
		case f.Kind == List:
			in.Values[f.Name] = []string{text}
		case f.Kind == Timestamp:
			in.readTime(f, text)
		case f.Flag != "":
			in.Values[f.Name] = text
		case f.Kind == Cents:
			in.readDollars(f, text)
		case f.Choices != nil && !slices.Contains(f.Choices, text):
			in.problem(f.Name, "choose one of %s", strings.Join(f.Choices, ", "))
		default:
			in.Values[f.Name] = text
		}
	}
	for i := range fields {
		if f := &fields[i]; f.Required && f.Flag == "" && in.Values[f.Name] == nil && !slices.ContainsFunc(in.problems, func(p lead.Problem) bool { return p.Field == f.Name }) {
			in.problem(f.Name, "this is needed")
		}
	}
	in.complete(fields)
}

func (in *Reader) readNumber(f *Field, text string) {
	n, err := strconv.Atoi(text)
	if err != nil || f.Max != 0 && (n < f.Min || n > f.Max) {
		in.problem(f.Name, "write a whole number%s", f.bounds())
		return
	}
	in.Values[f.Name] = n
}

// readTime reads a time as people write it. A day or a month is its beginning.
func (in *Reader) readTime(f *Field, text string) {
	span, err := entered.ParseDate(text, in.Clock)
	if err != nil {
		in.problem(f.Name, "write a time such as 2026-11-05 08:30, 2026-11-05 or 7d")
		return
	}
	in.Values[f.Name] = span.From
}

// readDollars reads an amount as people write it.
func (in *Reader) readDollars(f *Field, text string) {
	n, err := buyer.ParseCents(text)
	if err != nil || n < buyer.Cents(f.Min) || n == 0 {
		in.problem(f.Name, "write an amount in dollars, such as 500.00")
		return
	}
	in.Values[f.Name] = n
}
