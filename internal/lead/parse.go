package lead

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Parse parses a raw request, or returns all its problems at once.
func Parse(raw *Raw) (*Request, *Error) {
	req := new(Request)
	if raw.unreadable != nil {
		return req, raw.unreadable
	}
	problems := raw.unknownFieldProblems()
	for i := range Fields {
		f := &Fields[i]
		given := raw.value(i)
		if given.kind == absent && !f.Required {
			continue // the zero value means not given
		}
		v, wrong := f.parse(given)
		if wrong != "" {
			problems = append(problems, f.problem(wrong))
			continue
		}
		f.assign(req, v)
	}
	problems = append(problems, raw.mergeQuery(req)...)
	if missing := consentProblem(raw, req); missing != nil {
		problems = append(problems, *missing)
	}
	if len(problems) > 0 {
		return new(Request), InvalidFields(problems)
	}
	return req, nil
}

// value returns what was given for a field, or its default.
func (r *Raw) value(i int) Value {
	if v := r.given[i]; r.spec.defaults[i] == "" || v.repeated || !Fields[i].missing(v) {
		return v
	}
	return Typed(r.spec.defaults[i])
}

// consentProblem refuses a request without consent, unless the service is plumbing. It looks at the raw value, so that a
// request with other problems is told of this one too. If the service is unknown, the text says which service works without
// consent: a wrong service must not hide that consent is missing.
func consentProblem(raw *Raw, req *Request) *Problem {
	f := FieldNamed("consent_to_contact")
	given := raw.given[mustIndex(f.Name)]
	if _, wrong := f.parse(given); wrong != "" || req.Consent || req.Service.Live() {
		return nil
	}
	wrong := problemText("false")
	if req.Service == "" {
		wrong = "false, which is enough for plumbing only"
	}
	p := f.problem(wrong)
	return &p
}

// mergeQuery merges a dry_run in the query with the one in the body: true in either is true.
func (r *Raw) mergeQuery(req *Request) []Problem {
	f := FieldNamed(DryRun)
	if text, _ := r.query.String(); r.query.kind == typed && strings.TrimSpace(text) == "" {
		return []Problem{f.problem("blank in the address")}
	}
	v, wrong := f.parse(r.query)
	if wrong != "" {
		return []Problem{f.problem(wrong + " in the address")}
	}
	req.DryRun = req.DryRun || v.yes
	return nil
}

func (r *Raw) unknownFieldProblems() []Problem {
	var problems []Problem
	for _, name := range r.unknown {
		field, subject := name, name
		if !safeToEcho(name) {
			field, subject = "unknown", "A member with an unusual name"
		}
		problems = append(problems, Problem{Field: field, Text: subject + " is not a field of " + r.spec.Name + ": " + r.spec.suggestion(name)})
	}
	return problems
}

// parse parses one value, or says what is wrong with it.
func (f *Field) parse(v Value) (parsed, problemText) {
	if v.repeated {
		return parsed{}, "given more than once"
	}
	if f.missing(v) {
		if f.Required {
			return parsed{}, "missing"
		}
		return parsed{}, ""
	}
	switch f.Kind {
	case Text, Lines:
		return f.parseText(v)
	case Choice:
		return f.parseChoice(v)
	case Whole, Decimal:
		return f.parseNumber(v)
	case Date:
		return f.parseDate(v)
	default:
		return parseYesNo(v)
	}
}

// missing reports whether nothing was given. A blank counts as missing where a person may type one: in any form field, and
// in a JSON text. A blank JSON choice or date is a mistake, and is reported.
func (f *Field) missing(v Value) bool {
	switch v.kind {
	case absent, null:
		return true
	case typed:
		return strings.TrimSpace(v.text) == ""
	case quoted:
		return (f.Kind == Text || f.Kind == Lines) && strings.TrimSpace(v.text) == ""
	}
	return false
}

func (f *Field) parseText(v Value) (parsed, problemText) {
	text, wrong := v.cleanText(f.Kind == Lines)
	if wrong != "" {
		return parsed{}, wrong
	}
	length := utf8.RuneCountInString(text)
	switch {
	case length < f.Min:
		return parsed{}, "too short"
	case f.Limited() && length > f.Max:
		return parsed{}, "too long"
	}
	if f.rule != nil {
		text, wrong = f.rule(text)
	}
	return parsed{text: text}, wrong
}

// cleanText trims a text, turns CRLF into LF and refuses invalid UTF-8 and control characters.
func (v Value) cleanText(lines bool) (string, problemText) {
	text, isText := v.String()
	if !isText {
		return "", wrongType(v, "text")
	}
	if !utf8.ValidString(text) {
		return "", "not valid UTF-8 text"
	}
	text = strings.TrimSpace(text)
	if lines {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	for _, c := range text {
		if unicode.IsControl(c) && !(lines && (c == '\n' || c == '\t')) {
			return "", "a control character in it"
		}
	}
	return text, ""
}

func (f *Field) parseChoice(v Value) (parsed, problemText) {
	text, isText := v.String()
	if !isText {
		return parsed{}, wrongType(v, "text")
	}
	text = strings.TrimSpace(text)
	for _, c := range f.Choices {
		if c == text {
			return parsed{text: c}, ""
		}
	}
	return parsed{}, "not one of the choices"
}

func (f *Field) parseDate(v Value) (parsed, problemText) {
	text, isText := v.String()
	if !isText {
		return parsed{}, wrongType(v, "a date in quotes")
	}
	text = strings.TrimSpace(text)
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return parsed{}, "not a date"
	}
	return parsed{text: text}, ""
}

func parseYesNo(v Value) (parsed, problemText) {
	switch v.kind {
	case boolean:
		return parsed{yes: v.text == "true"}, ""
	case typed:
		switch strings.ToLower(strings.TrimSpace(v.text)) {
		case "on", "yes", "true", "1": // a browser sends "on" for a checked box
			return parsed{yes: true}, ""
		case "off", "no", "false", "0":
			return parsed{yes: false}, ""
		}
		return parsed{}, "neither yes nor no"
	}
	return parsed{}, wrongType(v, "true or false")
}

// Yes reports whether text is one of the ways a form says yes.
func Yes(text string) bool {
	v, wrong := parseYesNo(Typed(text))
	return wrong == "" && v.yes
}

func wrongType(v Value, belongs string) problemText {
	return problemText(v.kind.describe() + " where " + belongs + " belongs")
}
