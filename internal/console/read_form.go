package console

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
)

// ticked reports whether a form shows the field as boxes to tick.
func (f *field) ticked() bool { return f.kind == list && f.choices != nil }

// readForm reads what a form sent. A field of the operator's input has the text that the command line takes; an empty one is not given.
func (in *reader) readForm(fields []field, form url.Values) {
	for i := range fields {
		f := &fields[i]
		given, text := form.Has(f.name), strings.TrimSpace(form.Get(f.name))
		switch {
		case f.kind == boolean:
			if given {
				in.values[f.name] = text == "true" || text == "on"
			}
		case !given || text == "" && f.flag == "":
		case text == "": // a term is taken back
			in.values[f.name] = nil
		case f.kind == number:
			in.readNumber(f, text)
		case f.kind == list && f.flag == "": // one on each line
			in.values[f.name] = []string{strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '\n' || r == '\r' }), ",")}
		case f.kind == list:
			in.values[f.name] = []string{text}
		case f.kind == timestamp:
			in.readTime(f, text)
		case f.flag != "":
			in.values[f.name] = text
		case f.kind == cents:
			in.readDollars(f, text)
		case f.choices != nil && !slices.Contains(f.choices, text):
			in.problem(f.name, "choose one of %s", strings.Join(f.choices, ", "))
		default:
			in.values[f.name] = text
		}
	}
	for i := range fields {
		if f := &fields[i]; f.required && f.flag == "" && in.values[f.name] == nil && !slices.ContainsFunc(in.problems, func(p lead.Problem) bool { return p.Field == f.name }) {
			in.problem(f.name, "this is needed")
		}
	}
	in.complete(fields)
}

func (in *reader) readNumber(f *field, text string) {
	n, err := strconv.Atoi(text)
	if err != nil || f.max != 0 && (n < f.min || n > f.max) {
		in.problem(f.name, "write a whole number%s", f.bounds())
		return
	}
	in.values[f.name] = n
}

// readTime reads a time as people write it. A day or a month is its beginning.
func (in *reader) readTime(f *field, text string) {
	span, err := entered.ParseDate(text, in.clock)
	if err != nil {
		in.problem(f.name, "write a time such as 2026-11-05 08:30, 2026-11-05 or 7d")
		return
	}
	in.values[f.name] = span.From
}

// readDollars reads an amount as people write it.
func (in *reader) readDollars(f *field, text string) {
	n, err := buyer.ParseCents(text)
	if err != nil || n < buyer.Cents(f.min) || n == 0 {
		in.problem(f.name, "write an amount in dollars, such as 500.00")
		return
	}
	in.values[f.name] = n
}
